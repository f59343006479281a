import * as d from '#schemas/generated/diagnostics.ts';

import type { Rule } from '../rule.ts';
import { shellText, wordAt, wordsOfProgram } from '../shell-text.ts';

/** Nobody starts a program in order to wait. */
export default {
  name: 'no-sleep-program',
  preset: 'recommended',
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(({ gate }) => gate === 'shell')) {
      const words = wordsOfProgram(call);
      const program = waitOf(words);
      if (program !== undefined) report(d.noSleepProgram({ at: call.argumentAt('command'), program }));
      const shell = shellText(words);
      const wait = shell && waitIn(shell.text);
      if (shell && wait !== undefined) report(d.noSleepProgram({ at: wordAt(call, shell.index), program: wait }));
    }
  },
} satisfies Rule;

/** The wait that a program of its own is. */
function waitOf(words: readonly unknown[]): string | undefined {
  const texts = words.map(String);
  if (nameOf(texts[0]) === 'sleep') return texts[0];
  return isWait(texts) ? texts.join(' ') : undefined;
}

/** The first wait among the commands of a shell, without what it writes elsewhere. */
function waitIn(text: string): string | undefined {
  return text
    .replaceAll(/\d?>{1,2} ?(?:&\d|[\w/.]+)/g, '')
    .split(/[;&|\n]/)
    .map((command) => command.trim())
    .find((command) => isWait(command.split(/\s+/)));
}

const NUMBER = /^[\d.]+[smhd]?$/;
const OWN_MACHINE = /^(?:127(?:\.\d+){3}|localhost|::1)$/i;

function isWait([program, ...words]: readonly string[]): boolean {
  switch (nameOf(program)) {
    case 'sleep':
    case 'start-sleep':
      return words.length < 3 && NUMBER.test(words.at(-1) ?? '');
    case 'timeout':
      return words[0]?.toLowerCase() === '/t' && NUMBER.test(words[1] ?? '');
    case 'ping':
      // One's own machine answers at once, once a second.
      return words.some((word) => OWN_MACHINE.test(word)) && countOf(words) > 1;
    default:
      return false;
  }
}

/** Number of times that `ping` asks; 0 where it is not written. */
function countOf(words: readonly string[]): number {
  const [, count] = /(?:^| )-[nc] ?(\d+)/i.exec(words.join(' ')) ?? [];
  return Number(count ?? 0);
}

/** Name of a program, without its folder. */
function nameOf(program: string | undefined): string {
  return (program ?? '')
    .replace(/^.*[\\/]/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase();
}
