import * as d from '#schemas/generated/diagnostics.ts';
import { isList } from '#schemas/types/json.ts';

import { literal, type Rule } from '../rule.ts';

/** Nobody starts a program in order to wait. */
export default {
  name: 'no-sleep-program',
  preset: 'recommended',
  resolved({ groups, report }) {
    for (const call of groups.of(({ gate }) => gate === 'shell')) {
      const command = call.info.gate === 'shell' ? literal(call, 'command') : undefined;
      if (!isList(command)) continue;
      const [program, second, third] = command;
      if (isSleep(program)) report(d.noSleepProgram({ at: call.argumentAt('command'), program }));
      else if (second === '-c' && typeof third === 'string' && /^\s*sleep\s+[\d.]+[smhd]?\s*$/.test(third))
        report(d.noSleepProgram({ at: call.argumentAt('command'), program: third }));
    }
  },
} satisfies Rule;

function isSleep(word: unknown): word is string {
  return typeof word === 'string' && /^(?:.*\/)?sleep$/.test(word);
}
