import { command } from '#stdlib/command.ts';

export const WR_pw_evaluate = command('WR_pw_evaluate', ({ expression, arg }, ctx) =>
  ctx.playwright.session.evaluate(ctx, expression, arg ?? undefined),
);
