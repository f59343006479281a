import { command } from '#stdlib/command.ts';

export const WR_dashboard_start = command(
  'WR_dashboard_start',
  ({ host, port, shared_secret, allow_non_loopback }, ctx) =>
    ctx.dashboard.start({ host, port, secret: shared_secret, allowReachable: allow_non_loopback }),
);

export const WR_dashboard_stop = command('WR_dashboard_stop', async (_, ctx) => {
  await ctx.dashboard.stop();
  return null;
});
