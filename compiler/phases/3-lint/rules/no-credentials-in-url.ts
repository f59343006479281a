import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

const withPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s:@]*:[^/?#\s@]+@/i;

/** Addresses are logged along the way; passwords do not belong in them. */
export default {
  name: 'no-credentials-in-url',
  preset: 'recommended',
  resolved({ calls, report }) {
    for (const call of calls) {
      for (const name of Object.keys(call.node.args)) {
        const value = literal(call, name);
        if (typeof value === 'string' && withPassword.test(value)) report(d.noCredentialsInUrl({ at: call.argumentAt(name) }));
      }
    }
  },
} satisfies Rule;
