import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';
import { isObject, type Json } from '#schemas/types/json.ts';

import { valueAt } from '../../3-parse/routes.ts';
import type { Rule } from '../rule.ts';

/** A `retry` allows more than one attempt. */
export default {
  name: 'no-single-attempt',
  preset: 'recommended',
  hint: /retry/,
  resolved({ document, groups, at, report }) {
    const ofFile = valueAt(document.value, ['meta', 'retry']);
    const look = (label: Label): void => {
      const written = valueAt(document.value, label.route) ?? null;
      const route = attemptsRoute(written, label);
      if (route === undefined) return;
      const operations = [{ kind: 'replace', route, value: 2 }] as const;
      const fix = { title: 'write 2', safety: 'unsafe', operations } as const;
      report(d.noSingleAttempt({ at: { ...label, route }, fixes: [fix] }));
    };
    if (ofFile !== undefined) return look(at(['meta', 'retry']));
    for (const call of groups.having('retry')) if (call.node.retry?.max_attempts === 1) look(call.optionAt('retry'));
  },
} satisfies Rule;

/** Place of the number, where it is 1. */
function attemptsRoute(written: Json, { route }: Label): Label['route'] | undefined {
  if (written === 1) return route;
  return isObject(written) && written['max_attempts'] === 1 ? [...route, 'max_attempts'] : undefined;
}
