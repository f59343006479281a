import { verbs } from '#schemas/generated/cli.ts';
import type { Completion, ExitStatus, Option, Terminal, Verb } from '#schemas/types/cli.ts';

/** What could stand at the last of the words behind `svc`: a candidate a line, a tab and what it means; `:files` asks the shell for paths. */
export async function complete(words: readonly string[], terminal: Terminal): Promise<ExitStatus> {
  const current = words.at(-1) ?? '';
  for (const [name, about] of await candidates(words.slice(0, -1), current)) {
    if (name.startsWith(current) || name.startsWith(':')) terminal.out(about === '' ? `${name}\n` : `${name}\t${about}\n`);
  }
  return 0;
}

type Candidate = readonly [name: string, about: string];

async function candidates(before: readonly string[], current: string): Promise<readonly Candidate[]> {
  const verb = verbs.find((candidate) => candidate.name === before[0]);
  if (before.length === 0) return [...verbs.map((known): Candidate => [known.name, known.summary]), ['--help', ''], ['--version', '']];
  if (!verb) return before[0] === 'help' ? verbs.map((known): Candidate => [known.name, known.summary]) : [];
  const waiting = waitingOption(verb, before.at(-1));
  if (waiting) return valuesOf(waiting.values, waiting.complete);
  if (current.startsWith('-')) return [...verb.options.map((option): Candidate => [`--${option.name}`, option.about]), ['--help', '']];
  return positional(verb, before.slice(1));
}

/** The option before the word, where it still waits for its value. */
function waitingOption(verb: Verb, word: string | undefined): Option | undefined {
  return verb.options.find((option) => option.value !== undefined && (word === `--${option.name}` || (option.short !== undefined && word === `-${option.short}`)));
}

function positional(verb: Verb, before: readonly string[]): Promise<readonly Candidate[]> | readonly Candidate[] {
  const given = before.filter((word, index) => !word.startsWith('-') && !waitingOption(verb, before[index - 1])).length;
  const argument = verb.arguments[given] ?? (verb.arguments.at(-1)?.variadic ? verb.arguments.at(-1) : undefined);
  return argument ? valuesOf(argument.values, argument.complete) : [];
}

async function valuesOf(values: readonly string[] | undefined, kind: Completion | undefined): Promise<readonly Candidate[]> {
  if (values) return values.map((value): Candidate => [value, '']);
  switch (kind) {
    case 'command':
      return (await import('#compiler/catalogue.ts')).allNames().map((name): Candidate => [name, '']);
    case 'code':
      return (await import('#schemas/generated/explain.ts')).explanations.map((entry): Candidate => [entry.code, entry.slug]);
    case 'verb':
      return verbs.map((verb): Candidate => [verb.name, verb.summary]);
    case 'directory':
      return [[':directories', '']];
    default:
      return [[':files', '']];
  }
}
