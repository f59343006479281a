import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

/** Checksums are such that nobody can make two files for one. */
export default {
  name: 'no-weak-hash',
  preset: 'recommended',
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(({ params }) => params.some(({ name }) => name === 'algorithm'))) {
      const algorithm = call.isWritten('algorithm') ? literal(call, 'algorithm') : undefined;
      if (typeof algorithm === 'string' && /^(?:md[245]|sha-?1)$/i.test(algorithm))
        report(d.noWeakHash({ at: call.argumentAt('algorithm'), algorithm }));
    }
  },
} satisfies Rule;
