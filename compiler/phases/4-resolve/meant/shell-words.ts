import type { Step } from '../../3-parse/ast.ts';

/** A command with its positional parameters. */
export interface ProgramMeant {
  readonly command: string;
  readonly parameters: readonly (string | readonly string[])[];
}

/** Programs for which there is a command that takes as many words in the same order. */
const COMMANDS: ReadonlyMap<string, readonly [command: string, words: number]> = new Map([
  ['copy', ['FA_copy_file', 2]],
  ['cp', ['FA_copy_file', 2]],
  ['del', ['FA_remove_file', 1]],
  ['ls', ['FA_list_dir', 1]],
  ['md', ['FA_create_dir', 1]],
  ['mkdir', ['FA_create_dir', 1]],
  ['rm', ['FA_remove_file', 1]],
  ['touch', ['FA_create_file', 1]],
  ['unlink', ['FA_remove_file', 1]],
]);

/** The same with an option behind the program: those that look at whole folders, or make what is missing. */
const WITH_OPTION: readonly (readonly [program: RegExp, option: RegExp, command: string])[] = [
  [/^cp$/, /^(?:-[arR]+|--recursive)$/, 'FA_copy_dir'],
  [/^rm$/, /^(?:-(?:f*[rR]f*)|--recursive)$/, 'FA_remove_dir_tree'],
  [/^rm$/, /^(?:-f|--force)$/, 'FA_remove_file'],
  [/^mkdir$/, /^(?:-p|--parents)$/, 'FA_create_dir'],
];

/** Programs that a shell has or finds, and nobody writes for something else. */
const PROGRAMS: ReadonlySet<string> = new Set(
  (
    'bash bun cargo cat chmod chown cmd cp curl deno docker echo git go grep head java kubectl ls make mkdir mv mvn node ' +
    'npm npx php pip pnpm powershell printf psql pwsh python python3 rm ruby sed sh tail tar wget yarn zsh'
  ).split(' '),
);

/** Words that stand in front of a program. */
const STARTS: ReadonlySet<string> = new Set(['cmd', 'command', 'exec', 'execute', 'run', 'shell', 'system']);

/** The call that a step stands for whose name is a program: `copy: [a, b]`, `[git, status]`, `rm -r out`. */
export function programMeant({ command, positional, keywords }: Step): ProgramMeant | undefined {
  if (keywords !== undefined) return undefined;
  const [program = '', ...behind] = wordsOf(command);
  const words = [...behind, ...(positional ?? [])].flatMap((word) =>
    typeof word === 'number'
      ? String(word)
      : typeof word === 'string' && positional?.length === 1
        ? wordsOf(word)
        : word,
  );
  if (words.length === 0 || !words.every((word) => typeof word === 'string')) return undefined;
  return ofCommand(program, words) ?? ofShell(program, words);
}

/** The words of a line without quotes. */
function wordsOf(line: string): readonly string[] {
  return /^[^"'`$|&;<>]*$/.test(line) ? line.trim().split(/\s+/) : [line];
}

function ofCommand(program: string, words: readonly string[]): ProgramMeant | undefined {
  const [first = '', ...rest] = words;
  const [, , whole] = WITH_OPTION.find(([name, option]) => name.test(program) && option.test(first)) ?? [];
  const [command = '', count = 0] = COMMANDS.get(program) ?? [];
  const parameters = whole === undefined ? words : rest;
  const isPlain = parameters.every((word) => !/^-|[*?]/.test(word));
  return isPlain && parameters.length === count ? { command: whole ?? command, parameters } : undefined;
}

function ofShell(program: string, words: readonly string[]): ProgramMeant | undefined {
  const isStart = STARTS.has(program);
  if (!isStart && !PROGRAMS.has(program)) return undefined;
  return { command: 'FA_run_shell', parameters: [isStart ? words : [program, ...words]] };
}
