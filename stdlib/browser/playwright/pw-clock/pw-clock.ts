import { clockNotInstalled } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

export const WR_pw_clock_install = command('WR_pw_clock_install', async ({ fake_now_ms }, ctx) => {
  const { session } = ctx.playwright;
  await session.run(ctx, (page) => page.context().clock.install({ time: fake_now_ms ?? ctx.clock.now() }));
  session.hasClock = true;
});

export const WR_pw_clock_run_for = command('WR_pw_clock_run_for', async ({ duration_ms }, ctx) => {
  const { session } = ctx.playwright;
  if (!session.hasClock) throw clockNotInstalled();
  await session.run(ctx, (page) => page.context().clock.runFor(duration_ms));
});

export const WR_pw_clock_set_time = command('WR_pw_clock_set_time', async ({ time_ms }, ctx) => {
  const { session } = ctx.playwright;
  await session.run(ctx, (page) => page.context().clock.setFixedTime(time_ms));
  session.hasFixedTime = true;
});
