import { noAuditResult } from '#schemas/generated/failures.ts';
import { isObject } from '#schemas/types/json.ts';
import { command } from '#stdlib/command.ts';

import { auditPage } from '../../engines/page/audit.ts';

export const WR_a11y_load_a11yengine = command('WR_a11y_load_a11yengine', async ({ path }, ctx) =>
  path == null ? ctx.accessibility.source() : new TextDecoder().decode(await ctx.files.read(path)),
);

export const WR_a11y_run_audit = command('WR_a11y_run_audit', async ({ a11yengine_source, options }, ctx) =>
  auditPage(ctx.webdriver, ctx, a11yengine_source ?? (await ctx.accessibility.source()), options ?? undefined),
);

export const WR_a11y_summarise = command('WR_a11y_summarise', ({ results }) => {
  const violations = isObject(results) ? results['violations'] : undefined;
  if (!Array.isArray(violations)) throw noAuditResult();
  return violations.filter(isObject).map(({ id, impact, help, nodes }) => ({
    id: textOf(id),
    impact: textOf(impact),
    help: textOf(help),
    nodes: Array.isArray(nodes) ? nodes.length : 0,
  }));
});

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
