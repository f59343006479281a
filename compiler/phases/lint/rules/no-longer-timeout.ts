import * as d from '#schemas/generated/diagnostics.ts';
import type { Callable, Parameter } from '#schemas/types/command.ts';
import type { Label } from '#schemas/types/diagnostic.ts';

import type { ResolvedCall, Rule } from '../rule.ts';

interface Limit {
  readonly seconds: number;
  readonly at: () => Label;
  /** Present where it bounds all attempts, the step's own limit one of them. */
  readonly ofAll?: true;
}

/** No limit is longer than one around it. */
export default {
  name: 'no-longer-timeout',
  preset: 'recommended',
  judgesValues: true,
  resolved({ unit, calls, groups, report }) {
    const timeouts = new Map<Callable, readonly Parameter[]>();
    // Without a limit of its own a step has none but the file's.
    for (const call of unit.timeout_s === undefined ? groups.having('timeout_s') : calls) {
      const own = call.node.timeout_s;
      const file = call.section === 'body' ? unit.timeout_s : undefined;
      const limiting = timeouts.get(call.info) ?? timeoutsOf(call.info);
      timeouts.set(call.info, limiting);
      for (const { seconds, at, ofAll } of limitsOf(call, limiting)) {
        const isStep = own !== undefined && !ofAll && seconds > own;
        const limit = isStep ? own : file;
        if (limit !== undefined && seconds > limit)
          report(d.noLongerTimeout({ at: at(), seconds, limit, holder: isStep ? 'the step' : 'the file' }));
      }
    }
  },
} satisfies Rule;

function limitsOf(call: ResolvedCall, timeouts: readonly Parameter[]): readonly Limit[] {
  const { timeout_s, retry } = call.node;
  const limits: Limit[] = [];
  if (timeout_s !== undefined) limits.push({ seconds: timeout_s, at: () => call.optionAt('timeout_s') });
  if (retry?.max_s !== undefined) limits.push({ seconds: retry.max_s, at: () => insideRetry(call), ofAll: true });
  for (const parameter of timeouts) {
    const value = call.writtenAs(parameter)?.value;
    if (typeof value !== 'number') continue;
    const seconds = parameter.unit === 'milliseconds' ? value / 1000 : value;
    limits.push({ seconds, at: () => call.argumentAt(parameter.name) });
  }
  return limits;
}

/** Parameters that limit how long a command takes. */
function timeoutsOf({ params }: Callable): readonly Parameter[] {
  return params.filter(({ name, role }) => role === 'duration' && name.includes('timeout'));
}

function insideRetry(call: ResolvedCall): Label {
  const at = call.optionAt('retry');
  return { ...at, route: [...at.route, 'max_s'] };
}
