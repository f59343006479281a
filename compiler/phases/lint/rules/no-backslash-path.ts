import * as d from '#schemas/generated/diagnostics.ts';

import { written } from '../literals.ts';
import type { Rule } from '../rule.ts';
import { shown } from '../texts.ts';

/** Paths are written with `/`. */
export default {
  name: 'no-backslash-path',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.of(({ params }) => params.some(({ role }) => role === 'local-path'))) {
      for (const { parameter, text, value } of written(call)) {
        if (parameter.role !== 'local-path' || text === undefined || !text.includes('\\')) continue;
        const at = call.argumentAt(parameter.name);
        const fix = {
          title: 'write it with `/`',
          safety: 'unsafe',
          operations: [{ kind: 'replace', route: at.route, value: text.replaceAll('\\', '/') }],
        } as const;
        report(d.noBackslashPath({ at, path: shown(text), fixes: value === text ? [fix] : [] }));
      }
    }
  },
} satisfies Rule;
