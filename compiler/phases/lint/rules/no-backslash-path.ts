import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';
import { shown } from '../texts.ts';

/** Paths are written with `/`. */
export default {
  name: 'no-backslash-path',
  preset: 'recommended',
  hint: /\\/,
  argument: {
    wants: ({ role }) => role === 'local-path',
    look({ parameter, text, value }, call, report) {
      if (text === undefined || !text.includes('\\')) return;
      const at = call.argumentAt(parameter.name);
      const fix = {
        title: 'write it with `/`',
        safety: 'unsafe',
        operations: [{ kind: 'replace', route: at.route, value: text.replaceAll('\\', '/') }],
      } as const;
      report(d.noBackslashPath({ at, path: shown(text), fixes: value === text ? [fix] : [] }));
    },
  },
} satisfies Rule;
