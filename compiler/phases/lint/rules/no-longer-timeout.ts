import * as d from '#schemas/generated/diagnostics.ts';
import type { Label } from '#schemas/types/diagnostic.ts';

import { written } from '../literals.ts';
import type { ResolvedCall, Rule } from '../rule.ts';

interface Limit {
  readonly seconds: number;
  readonly at: Label;
  /** Present where it bounds all attempts, the step's own limit one of them. */
  readonly ofAll?: true;
}

/** No limit is longer than one around it. */
export default {
  name: 'no-longer-timeout',
  preset: 'recommended',
  resolved({ unit, calls, groups, report }) {
    // Without a limit of its own a step has none but the file's.
    for (const call of unit.timeout_s === undefined ? groups.having('timeout_s') : calls) {
      const own = call.node.timeout_s;
      const file = call.section === 'body' ? unit.timeout_s : undefined;
      for (const { seconds, at, ofAll } of limitsOf(call)) {
        const isStep = own !== undefined && !ofAll && seconds > own;
        const limit = isStep ? own : file;
        if (limit !== undefined && seconds > limit)
          report(d.noLongerTimeout({ at, seconds, limit, holder: isStep ? 'the step' : 'the file' }));
      }
    }
  },
} satisfies Rule;

function* limitsOf(call: ResolvedCall): Generator<Limit> {
  const { timeout_s, retry } = call.node;
  if (timeout_s !== undefined) yield { seconds: timeout_s, at: call.optionAt('timeout_s') };
  if (retry?.max_s !== undefined) yield { seconds: retry.max_s, at: insideRetry(call), ofAll: true };
  for (const { parameter, value } of written(call)) {
    if (parameter.role !== 'duration' || typeof value !== 'number' || !/timeout/.test(parameter.name)) continue;
    const seconds = parameter.unit === 'milliseconds' ? value / 1000 : value;
    yield { seconds, at: call.argumentAt(parameter.name) };
  }
}

function insideRetry(call: ResolvedCall): Label {
  const at = call.optionAt('retry');
  return { ...at, route: [...at.route, 'max_s'] };
}
