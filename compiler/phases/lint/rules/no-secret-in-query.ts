import * as d from '#schemas/generated/diagnostics.ts';
import { isSecretQuery } from '#schemas/types/secret-key.ts';

import type { Rule } from '../rule.ts';

/** Secrets travel in headers. */
export default {
  name: 'no-secret-in-query',
  preset: 'recommended',
  hint: /\?/,
  argument: {
    wants: ({ language }) => language === 'url',
    look({ parameter, text }, call, report) {
      if (text === undefined || !text.includes('?')) return;
      for (const [, name = ''] of text.matchAll(/[?&]([^=&#]{1,200})=[^&#]/g))
        if (isSecretQuery(name)) report(d.noSecretInQuery({ at: call.argumentAt(parameter.name), name }));
    },
  },
} satisfies Rule;
