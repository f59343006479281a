import * as d from '#schemas/generated/diagnostics.ts';
import { isList } from '#schemas/types/json.ts';

import { literal, type Rule } from '../rule.ts';

/** A wait among the commands of a shell. */
const ofShells = /(?<=^|[;&|])\s*(?:sleep|start-sleep|timeout\s+\/t)\s+(?:-\w+\s+)?[\d.]+[smhd]?\s*(?=$|[;&|])/i;

/** Flags of shells behind which their commands stand. */
const flags: ReadonlySet<unknown> = new Set(['-c', '/c', '-command', '-Command']);

/** Nobody starts a program in order to wait. */
export default {
  name: 'no-sleep-program',
  preset: 'recommended',
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(({ gate }) => gate === 'shell')) {
      const command = call.info.gate === 'shell' ? literal(call, 'command') : undefined;
      if (!isList(command)) continue;
      const [program, second, third] = command;
      if (isSleep(program)) report(d.noSleepProgram({ at: call.argumentAt('command'), program }));
      const [sleep] = flags.has(second) && typeof third === 'string' ? (ofShells.exec(third) ?? []) : [];
      if (sleep !== undefined) report(d.noSleepProgram({ at: call.argumentAt('command'), program: sleep.trim() }));
    }
  },
} satisfies Rule;

function isSleep(word: unknown): word is string {
  return typeof word === 'string' && /^(?:.*\/)?sleep$/.test(word);
}
