import { command } from '#stdlib/command.ts';

export const WR_pw_cdp = command('WR_pw_cdp', ({ method, params }, ctx) =>
  ctx.playwright.session.protocol(ctx, method, params ?? {}),
);

export const WR_pw_cdp_reset_sessions = command('WR_pw_cdp_reset_sessions', async (_, ctx) => {
  if (ctx.playwright.isOpen) await ctx.playwright.session.resetChannels(ctx);
});
