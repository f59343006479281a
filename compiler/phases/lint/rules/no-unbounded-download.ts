import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

/** A limit beyond this is none: 64 GiB. */
const MOST_BYTES = 64 * 1024 ** 3;

/** Downloads have a bound. */
export default {
  name: 'no-unbounded-download',
  preset: 'recommended',
  resolved({ calls, report }) {
    for (const call of calls) {
      if (!call.info.effects.includes('network') || !call.isWritten('max_bytes')) continue;
      const most = literal(call, 'max_bytes');
      if (most === null || (typeof most === 'number' && most > MOST_BYTES))
        report(d.noUnboundedDownload({ at: call.argumentAt('max_bytes') }));
    }
  },
} satisfies Rule;
