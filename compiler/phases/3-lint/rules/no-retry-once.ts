import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';

/** What must not happen twice is not retried. */
export default {
  name: 'no-retry-once',
  preset: 'recommended',
  resolved({ calls, report }) {
    for (const call of calls) {
      const repeats = call.node.retry && call.node.retry.max_attempts !== 1;
      if (repeats && call.info.repeat === 'once') report(d.noRetryOnce({ at: call.optionAt('retry'), command: call.node.command }));
    }
  },
} satisfies Rule;
