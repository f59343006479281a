import type { Label } from '#schemas/types/diagnostic.ts';
import { isList } from '#schemas/types/json.ts';

import { literal, type ResolvedCall } from './rule.ts';

/** Words of a program that a call starts, as far as they are written. */
export function wordsOfProgram(call: ResolvedCall): readonly unknown[] {
  const command = call.info.gate === 'shell' ? literal(call, 'command') : undefined;
  return isList(command) ? command : [];
}

const SHELL = /^(?:.*[\\/])?(?:(?:ba|da|z|k|a)?sh|cmd|powershell|pwsh)(?:\.exe)?$/i;
/** Option behind which a shell takes its commands, alone or among others: `-c`, `-lc`, `/c`, `-Command`. */
const COMMANDS = /^(?:-[a-z]*c|\/c|-command)$/i;

/** Commands of a shell: their text, and which word of the program that is. */
export interface ShellText {
  readonly text: string;
  readonly index: number;
}

/** The commands that a shell is started with; undefined where another program is. */
export function shellText(words: readonly unknown[]): ShellText | undefined {
  const [program] = words;
  if (typeof program !== 'string' || !SHELL.test(program)) return undefined;
  const before = words.findIndex((word, index) => index > 0 && (typeof word !== 'string' || COMMANDS.test(word)));
  const index = before + 1;
  const text = words[index];
  return before > 0 && typeof words[before] === 'string' && typeof text === 'string' ? { text, index } : undefined;
}

/** Place of a word of the program that a call starts. */
export function wordAt(call: ResolvedCall, index: number): Label {
  const at = call.argumentAt('command');
  return { ...at, route: [...at.route, index] };
}
