import * as d from '#schemas/generated/diagnostics.ts';

import { hostOf, isPublicHost } from '../literals.ts';
import type { Rule } from '../rule.ts';

/** Requests to public hosts are encrypted. */
export default {
  name: 'use-https',
  preset: 'recommended',
  hint: /\b(?:http|ws):/i,
  argument: {
    wants: ({ language }) => language === 'url',
    look({ parameter, text }, call, report) {
      if (text === undefined || !/^(?:http|ws):/i.test(text)) return;
      const host = hostOf(text);
      if (host === undefined || !isPublicHost(host)) return;
      const at = call.argumentAt(parameter.name);
      const fix = {
        title: 'ask with encryption',
        safety: 'unsafe',
        operations: [
          { kind: 'replace-text', route: at.route, from: text.indexOf(':'), to: text.indexOf(':'), text: 's' },
        ],
      } as const;
      report(d.useHttps({ at, host, fixes: [fix] }));
    },
  },
} satisfies Rule;
