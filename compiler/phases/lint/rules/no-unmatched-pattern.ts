import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';
import { shown } from '../texts.ts';

/** A pattern of names holds neither folders nor alternatives in braces. */
export default {
  name: 'no-unmatched-pattern',
  preset: 'recommended',
  hint: /pattern|glob/,
  argument: {
    wants: ({ name, language }, info) =>
      info.name.startsWith('FA_') && (name === 'pattern' || name === 'glob') && language === undefined,
    look({ parameter, text, value }, call, report) {
      const sign = text === undefined ? undefined : /\/|\{[^{}]*,[^{}]*\}/.exec(text)?.[0];
      if (text === undefined || sign === undefined) return;
      const at = call.argumentAt(parameter.name);
      const name = text.slice(text.lastIndexOf('/') + 1);
      const fix = {
        title: `write "${name}"`,
        safety: 'unsafe',
        operations: [{ kind: 'replace', route: at.route, value: name }],
      } as const;
      const isWritable = value === text && sign === '/' && !/[{}]/.test(name) && name !== '';
      report(d.noUnmatchedPattern({ at, pattern: shown(text), sign, fixes: isWritable ? [fix] : [] }));
    },
  },
} satisfies Rule;
