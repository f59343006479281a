import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type ResolvedCall, type Rule } from '../rule.ts';

/** Between attempts there is a pause. */
export default {
  name: 'no-busy-retry',
  preset: 'recommended',
  resolved({ calls, report }) {
    for (const call of calls) {
      const { retry } = call.node;
      if (retry?.interval_s === 0 && retry.max_s !== undefined && isAsking(call)) {
        const at = call.optionAt('retry');
        report(d.noBusyRetry({ at: { ...at, route: [...at.route, 'interval_s'] } }));
      }
      if (call.node.kind === 'until' && call.isWritten('interval_s') && literal(call, 'interval_s') === 0)
        report(d.noBusyRetry({ at: call.argumentAt('interval_s') }));
    }
  },
} satisfies Rule;

function isAsking({ info }: ResolvedCall): boolean {
  return info.effects.includes('network') || info.effects.includes('process');
}
