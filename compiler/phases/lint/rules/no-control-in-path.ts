import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';
import { shown } from '../texts.ts';

/** Signs that a backslash and a letter make in double quotes. */
const CONTROLS: Readonly<Record<string, string>> = {
  '\0': '0',
  '\x07': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\x1b': 'e',
};

/** Paths are written in single quotes or with `/`: in double quotes a backslash begins an escape. */
export default {
  name: 'no-control-in-path',
  preset: 'recommended',
  hint: /\\/,
  argument: {
    wants: ({ role }) => role === 'local-path',
    look({ parameter, text, value }, call, report) {
      // Without a drive a line break may be meant.
      if (text === undefined || !/^[A-Za-z]:[\0-\x1f\\]|[\0\x07-\t\v\f\x1b]/.test(text)) return;
      const [sign] = /[\0\x07-\r\x1b]/.exec(text) ?? [];
      if (sign === undefined) return;
      const at = call.argumentAt(parameter.name);
      const path = text.replaceAll(/[\0\x07-\r\x1b]/g, (each) => `/${CONTROLS[each] ?? ''}`).replaceAll('\\', '/');
      const fix = {
        title: `write "${path}"`,
        safety: 'unsafe',
        operations: [{ kind: 'replace', route: at.route, value: path }],
      } as const;
      const escape = `\\${CONTROLS[sign] ?? ''}`;
      report(d.noControlInPath({ at, path: shown(path), escape, fixes: value === text ? [fix] : [] }));
    },
  },
} satisfies Rule;
