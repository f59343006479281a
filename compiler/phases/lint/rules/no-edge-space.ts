import * as d from '#schemas/generated/diagnostics.ts';

import { written } from '../literals.ts';
import type { Rule } from '../rule.ts';

/** Names of things have no blanks around them. */
export default {
  name: 'no-edge-space',
  preset: 'recommended',
  resolved({ calls, report }) {
    for (const call of calls) {
      for (const { parameter, value } of written(call)) {
        const isName =
          parameter.role === 'local-path' ||
          parameter.role === 'host' ||
          parameter.language === 'url' ||
          parameter.name.endsWith('selector');
        if (!isName || typeof value !== 'string' || value === value.trim() || value.trim() === '') continue;
        const at = call.argumentAt(parameter.name);
        const fix = {
          title: 'leave the blanks out',
          safety: 'unsafe',
          operations: [{ kind: 'replace', route: at.route, value: value.trim() }],
        } as const;
        report(d.noEdgeSpace({ at, name: parameter.name, fixes: [fix] }));
      }
    }
  },
} satisfies Rule;
