import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

/** Secrets come from the environment or from a secret file. */
export default {
  name: 'no-hardcoded-secret',
  preset: 'recommended',
  resolved({ calls, report }) {
    for (const call of calls) {
      for (const { name, secret } of call.info.params) {
        const value = secret && call.isWritten(name) ? literal(call, name) : undefined;
        if (typeof value === 'string' && value !== '') report(d.noHardcodedSecret({ at: call.argumentAt(name), parameter: name, command: call.node.command }));
      }
    }
  },
} satisfies Rule;
