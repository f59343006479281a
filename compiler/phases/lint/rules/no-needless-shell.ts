import * as d from '#schemas/generated/diagnostics.ts';
import { isList } from '#schemas/types/json.ts';

import { literal, type Rule } from '../rule.ts';

/** Signs that only a shell understands. */
const ofShells = /[|&;<>()$`\\"'*?[\]#~=%!{}\n]/;

/** Programs are started with their words, not through a shell. */
export default {
  name: 'no-needless-shell',
  preset: 'recommended',
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(({ gate }) => gate === 'shell')) {
      const command = call.info.gate === 'shell' ? literal(call, 'command') : undefined;
      if (!isList(command) || command.length !== 3 || !command.every((word) => typeof word === 'string')) continue;
      const [shell = '', flag, text = ''] = command;
      if (!/^(?:.*\/)?(?:ba|da|z)?sh$/.test(shell) || flag !== '-c' || ofShells.test(text)) continue;
      const words = text.trim().split(/ +/);
      const at = call.argumentAt('command');
      const fix = {
        title: 'start it without a shell',
        safety: 'unsafe',
        operations: [{ kind: 'replace', route: at.route, value: words }],
      } as const;
      report(d.noNeedlessShell({ at, program: words[0] ?? shell, fixes: [fix] }));
    }
  },
} satisfies Rule;
