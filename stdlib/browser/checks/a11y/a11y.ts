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
  return violations.filter(isObject).map(({ id, impact, help, nodes }) => {
    const places = Array.isArray(nodes) ? nodes : [];
    return {
      id: textOf(id),
      impact: textOf(impact),
      help: textOf(help),
      nodes: places.length,
      elements: places.slice(0, shown).filter(isObject).map(elementOf),
    };
  });
});

/** Elements of a violation that a summary names, and the longest snippet of one (characters). */
const [shown, longest] = [3, 200];

function elementOf({ target, html }: Readonly<Record<string, unknown>>): { selector: string; snippet: string } {
  const snippet = typeof html === 'string' ? html.replace(/\s+/g, ' ') : '';
  return {
    selector: selectorOf(target),
    snippet: snippet.length > longest ? `${snippet.slice(0, longest - 1)}…` : snippet,
  };
}

/** The engine gives a list: a part for each frame on the way, and inside of it a list where shadow roots are on it. */
function selectorOf(target: unknown): string {
  return Array.isArray(target) ? target.map(selectorOf).join(' >> ') : (textOf(target) ?? '');
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
