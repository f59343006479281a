import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

/** A limit beyond this is none: 64 GiB. */
const MOST_BYTES = 64 * 1024 ** 3;

/** Downloads have a bound. */
export default {
  name: 'no-unbounded-download',
  preset: 'recommended',
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(
      ({ effects, params }) => effects.includes('network') && params.some(({ name }) => name === 'max_bytes'),
    )) {
      if (!call.info.effects.includes('network') || !call.isWritten('max_bytes')) continue;
      const most = literal(call, 'max_bytes');
      if (most === null || (typeof most === 'number' && most > MOST_BYTES))
        report(d.noUnboundedDownload({ at: call.argumentAt('max_bytes') }));
    }
  },
} satisfies Rule;
