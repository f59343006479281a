import * as d from '#schemas/generated/diagnostics.ts';

import { wordsOfLine } from '../../5-check/words-meant.ts';
import type { Rule } from '../rule.ts';
import { wordAt, wordsOfProgram } from '../shell-text.ts';

/** The words of a program stand one by one: nothing divides them at blanks. */
export default {
  name: 'no-unsplit-program',
  preset: 'recommended',
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(({ gate }) => gate === 'shell')) {
      const [line, ...others] = wordsOfProgram(call);
      // Folders may have blanks in their names.
      if (typeof line !== 'string' || others.length > 0 || !/^[^\s\\/]+\s+\S/.test(line)) continue;
      const { route } = call.argumentAt('command');
      const words = wordsOfLine(line) ?? ['sh', '-c', line];
      const fix = {
        title: `write ${JSON.stringify(words)}`,
        safety: 'unsafe',
        operations: [{ kind: 'replace', route, value: words }],
      } as const;
      report(d.noUnsplitProgram({ at: wordAt(call, 0), program: line, fixes: [fix] }));
    }
  },
} satisfies Rule;
