import { command } from '#stdlib/command.ts';

export const WR_get_log = command('WR_get_log', async ({ log_type }, ctx) => [
  ...(await ctx.webdriver.current.takeLog(ctx, log_type)),
]);
