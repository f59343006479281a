import * as d from '#schemas/generated/diagnostics.ts';

import { hostOf, isPublicHost, written } from '../literals.ts';
import type { Rule } from '../rule.ts';

/** Requests to public hosts are encrypted. */
export default {
  name: 'use-https',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.of(({ params }) => params.some(({ language }) => language === 'url'))) {
      for (const { parameter, text } of written(call)) {
        if (parameter.language !== 'url' || text === undefined || !/^(?:http|ws):/i.test(text)) continue;
        const host = hostOf(text);
        if (host === undefined || !isPublicHost(host)) continue;
        const at = call.argumentAt(parameter.name);
        const fix = {
          title: 'ask with encryption',
          safety: 'unsafe',
          operations: [
            { kind: 'replace-text', route: at.route, from: text.indexOf(':'), to: text.indexOf(':'), text: 's' },
          ],
        } as const;
        report(d.useHttps({ at, host, fixes: [fix] }));
      }
    }
  },
} satisfies Rule;
