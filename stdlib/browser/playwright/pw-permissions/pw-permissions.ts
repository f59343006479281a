import { command } from '#stdlib/command.ts';

export const WR_pw_clear_permissions = command('WR_pw_clear_permissions', (_, ctx) =>
  ctx.playwright.session.revokeAll(ctx),
);

export const WR_pw_grant_permissions = command('WR_pw_grant_permissions', ({ permissions, origin }, ctx) =>
  ctx.playwright.session.grant(ctx, permissions, origin ?? undefined),
);
