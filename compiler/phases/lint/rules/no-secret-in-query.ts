import * as d from '#schemas/generated/diagnostics.ts';
import { tellsOfSecret } from '#schemas/types/secret-key.ts';

import { written } from '../literals.ts';
import type { Rule } from '../rule.ts';

/** Secrets travel in headers. */
export default {
  name: 'no-secret-in-query',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.of(({ params }) => params.some(({ language }) => language === 'url'))) {
      for (const { parameter, text } of written(call)) {
        if (parameter.language !== 'url' || text === undefined || !text.includes('?')) continue;
        for (const [, name = ''] of text.matchAll(/[?&]([^=&#]+)=[^&#]/g))
          if (tellsOfSecret(name) && !/^(?:page|sort|idempotency)/i.test(name))
            report(d.noSecretInQuery({ at: call.argumentAt(parameter.name), name }));
      }
    }
  },
} satisfies Rule;
