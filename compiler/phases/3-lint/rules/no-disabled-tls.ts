import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

/** Certificates are checked. */
export default {
  name: 'no-disabled-tls',
  preset: 'recommended',
  resolved({ calls, report }) {
    for (const call of calls) {
      if (call.isWritten('verify') && literal(call, 'verify') === false) report(d.noDisabledTls({ at: call.argumentAt('verify') }));
    }
  },
} satisfies Rule;
