import * as d from '#schemas/generated/diagnostics.ts';

import { hostOf, isPublicHost } from '../literals.ts';
import type { Rule } from '../rule.ts';
import { textsOf } from '../texts.ts';

/** Requests to public hosts are encrypted. */
export default {
  name: 'use-https',
  preset: 'recommended',
  hint: /\b(?:http|ws):/i,
  argument: {
    wants: ({ language }) => language === 'url',
    look({ parameter, text }, call, report) {
      const host = text === undefined ? undefined : openHost(text);
      if (text === undefined || host === undefined) return;
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
  resolved({ unit: { base_url }, at, report }) {
    const [base] = base_url ? textsOf(base_url) : [];
    const host = base && openHost(base.text);
    if (host !== undefined) report(d.useHttps({ at: at(['meta', 'base_url']), host, fixes: [] }));
  },
} satisfies Rule;

/** Public host that an address asks without encryption. */
function openHost(address: string): string | undefined {
  if (!/^(?:http|ws):/i.test(address)) return undefined;
  const host = hostOf(address);
  return host !== undefined && isPublicHost(host) ? host : undefined;
}
