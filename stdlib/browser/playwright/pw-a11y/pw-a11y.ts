import { command } from '#stdlib/command.ts';

import { auditPage } from '../../engines/page/audit.ts';

export const WR_pw_a11y_run_audit = command('WR_pw_a11y_run_audit', async ({ a11yengine_source, options }, ctx) =>
  auditPage(ctx.playwright, ctx, a11yengine_source ?? (await ctx.accessibility.source()), options ?? undefined),
);
