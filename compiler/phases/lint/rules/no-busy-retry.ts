import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type ResolvedCall, type Rule } from '../rule.ts';

/** A pause lies between attempts that ask a server or start a program. */
export default {
  name: 'no-busy-retry',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.having('retry')) {
      const { retry } = call.node;
      if (retry?.interval_s !== 0 || retry.max_s === undefined || !isAsking(call)) continue;
      const at = call.optionAt('retry');
      report(d.noBusyRetry({ at: { ...at, route: [...at.route, 'interval_s'] } }));
    }
    for (const call of groups.having('kind'))
      if (call.node.kind === 'until' && call.isWritten('interval_s') && literal(call, 'interval_s') === 0)
        report(d.noBusyRetry({ at: call.argumentAt('interval_s') }));
  },
} satisfies Rule;

function isAsking({ info }: ResolvedCall): boolean {
  return info.effects.includes('network') || info.effects.includes('process');
}
