import { verbs } from '#schemas/generated/cli.ts';
import type { Argument, Completion, ExitStatus, Option, Terminal, Verb } from '#schemas/types/cli.ts';

/**
 * Prints the candidates for the last of the words after `svc`: each on a line, a tab and what it means;
 * `:files` asks the shell for paths.
 */
export async function complete(words: readonly string[], terminal: Terminal): Promise<ExitStatus> {
  const { before, current, prefix } = cut(words);
  for (const [name, about] of await candidates(before, current, terminal.cwd)) {
    if (name.startsWith(':')) terminal.out(`${name}\n`, 'file');
    else if (name.startsWith(current))
      terminal.out(about === '' ? `${prefix}${name}\n` : `${prefix}${name}\t${about}\n`, 'file');
  }
  return 0;
}

type Candidate = readonly [name: string, about: string];

interface Cut {
  readonly before: readonly string[];
  readonly current: string;
  /** Text that the shell takes as one word with the value: `--format=`. */
  readonly prefix: string;
}

/** The value behind an equals sign is a word of its own: bash breaks there, other shells do not. */
function cut(words: readonly string[]): Cut {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (current === '=' && before.at(-1)?.startsWith('--')) return { before, current: '', prefix: '' };
  if (before.at(-1) === '=') return { before: before.slice(0, -1), current, prefix: '' };
  const equals = current.startsWith('--') ? current.indexOf('=') : -1;
  if (equals < 0) return { before, current, prefix: '' };
  return {
    before: [...before, current.slice(0, equals)],
    current: current.slice(equals + 1),
    prefix: current.slice(0, equals + 1),
  };
}

function candidates(
  before: readonly string[],
  current: string,
  cwd: string,
): Promise<readonly Candidate[]> | readonly Candidate[] {
  const verb = verbs.find((candidate) => candidate.name === before[0]);
  const names = verbs.map((known): Candidate => [known.name, known.summary]);
  if (before.length === 0) return [...names, ['--help', 'This page.'], ['--version', 'The version.']];
  if (!verb) return before[0] === 'help' && before.length === 1 ? names : [];
  const waiting = waitingOption(verb, before.at(-1));
  if (waiting?.complete === 'variable') return variables(before, cwd);
  if (waiting) return valuesOf(waiting.values, waiting.complete, current);
  if (current.startsWith('-')) return [...offered(verb, before), ['--help', 'How the verb is called.']];
  return positional(verb, before.slice(1), current);
}

/** Options that may still be given. */
function offered(verb: Verb, before: readonly string[]): readonly Candidate[] {
  const given = new Set(before.map((word) => word.split('=', 1)[0]));
  return verb.options
    .filter((option) => isOf(option, verb, before[1]))
    .filter((option) => option.multiple || !(given.has(`--${option.name}`) || given.has(`-${option.short ?? '-'}`)))
    .map((option): Candidate => [`--${option.name}`, option.about]);
}

/** Whether an option or argument belongs to the action of the verb, as far as one was given. */
function isOf({ for: actions }: Option | Argument, { arguments: [first] }: Verb, action: string | undefined): boolean {
  return action === undefined || actions === undefined || !first?.values?.includes(action) || actions.includes(action);
}

/** The option before the word, where it still waits for its value. */
function waitingOption(verb: Verb, word: string | undefined): Option | undefined {
  return verb.options.find(
    (option) =>
      option.value !== undefined &&
      (word === `--${option.name}` || (option.short !== undefined && word === `-${option.short}`)),
  );
}

function positional(
  verb: Verb,
  before: readonly string[],
  current: string,
): Promise<readonly Candidate[]> | readonly Candidate[] {
  const given = before.filter(
    (word, index) =>
      !word.startsWith('-') && word !== '=' && before[index - 1] !== '=' && !waitingOption(verb, before[index - 1]),
  ).length;
  const argument = verb.arguments[given] ?? (verb.arguments.at(-1)?.variadic ? verb.arguments.at(-1) : undefined);
  return argument && isOf(argument, verb, before[0]) ? valuesOf(argument.values, argument.complete, current) : [];
}

async function valuesOf(
  values: readonly string[] | undefined,
  kind: Completion | undefined,
  current: string,
): Promise<readonly Candidate[]> {
  if (values) return plain(values);
  switch (kind) {
    case 'command':
      return plain((await import('#compiler/catalogue.ts')).allNames());
    case 'code':
      return (await import('#schemas/generated/codes.ts')).codes.map(([code, slug]): Candidate =>
        /^[a-z]/.test(current) ? [slug, code] : [code, slug],
      );
    case 'verb':
      return verbs.map((verb): Candidate => [verb.name, verb.summary]);
    case 'reporter':
      return plain((await import('#runtime/reporters/names.ts')).reporterNames);
    case 'gate':
      return plain((await import('#runtime/program/arguments.ts')).gateNames);
    case 'schema':
      return plain((await import('#schemas/generated/schema-exports.ts')).schemaExports.map(({ name }) => name));
    case 'directory':
      return [[':directories', '']];
    case 'action-file':
    case 'file':
      return [[':files', '']];
    case 'variable':
    case 'shell':
    case undefined:
      return [];
  }
}

/** The inputs of the action files before the word. */
async function variables(before: readonly string[], cwd: string): Promise<readonly Candidate[]> {
  const { inputsOf } = await import('./inputs-of.ts');
  const all = await Promise.all(
    before.filter((word) => /\.(?:ya?ml|json)$/.test(word)).map((path) => inputsOf(path, cwd)),
  );
  return [...new Map(all.flat())].map(([name, about]): Candidate => [`${name}=`, about]);
}

function plain(names: readonly string[]): readonly Candidate[] {
  return names.map((name): Candidate => [name, '']);
}
