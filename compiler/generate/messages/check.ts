import type { Mistakes } from '../mistakes.ts';
import type { Message } from './read.ts';

const severities = ['error', 'warning', 'info', 'hint'];
const classes = ['transient', 'environment', 'flaky', 'real'];
/** Prefixes of the codes that a file may hold; a longer prefix wins. */
const prefixes: Readonly<Record<string, readonly string[]>> = {
  '1-parse.md': ['SVC1'],
  '2-migrate.md': ['SVC2'],
  '3-lint.md': ['SVC3'],
  '4-resolve.md': ['SVC4'],
  '5-plan.md': ['SVC5'],
  '6-check.md': ['SVC6'],
  '7-emit.md': ['SVC7'],
  '8-run-kernel.md': ['SVC80'],
  '8-run-browser.md': ['SVC81'],
  '8-run-browser-checks.md': ['SVC821'],
  '8-run-around.md': ['SVC82'],
  '8-run-around-browser.md': ['SVC82'],
  '8-run-api.md': ['SVC83'],
  '8-run-api-checks.md': ['SVC831'],
  '8-run-ai.md': ['SVC832'],
  '8-run-mocks.md': ['SVC833'],
  '8-run-specs.md': ['SVC84'],
  '8-run-load.md': ['SVC841'],
  '8-run-records.md': ['SVC842'],
  '8-run-files.md': ['SVC85'],
  '8-run-archives.md': ['SVC860', 'SVC861'],
  '8-run-sync.md': ['SVC862', 'SVC863'],
  '8-run-safety.md': ['SVC864', 'SVC865'],
  '8-run-guards.md': ['SVC870', 'SVC871'],
  '8-run-jobs.md': ['SVC872', 'SVC873'],
  '8-run-reporting.md': ['SVC874', 'SVC875'],
  '8-run-tools.md': ['SVC876', 'SVC877'],
  '8-run-transfer.md': ['SVC880'],
  '8-run-storage.md': ['SVC881'],
  '8-run-servers.md': ['SVC89'],
};
/** Names that a constructor uses for something else. */
const reservedOfDiagnostics = ['at', 'related', 'fixes', 'help', 'tags'];
const reservedOfFailures = ['cause', 'result', 'help'];

/** A section with `severity` is a diagnostic, one with `class` a failure. */
export function isDiagnostic(message: Message): boolean {
  return message.metadata.severity !== undefined;
}

/** An argument in a template: `%count%`, or `%count:place|places%` for the word that goes with a number. */
export const ARGUMENT = /%(?<name>[A-Za-z][A-Za-z0-9_]*)(?::(?<one>[^%|]+)\|(?<many>[^%|]+))?%/g;

/** The arguments of a template, each once, in order. */
export function argumentsOf(template: string): readonly string[] {
  return [...new Set([...template.matchAll(ARGUMENT)].map(({ groups }) => groups?.['name'] ?? ''))];
}

/** A template for readers: words that go with numbers stand as those for many. */
export function readable(template: string): string {
  return template.replace(ARGUMENT, (whole, _name: string, _one: string, many: string | undefined) => many ?? whole);
}

/**
 * Finds what would make constructors wrong or ambiguous: codes and slugs used twice, unknown words, missing parts.
 * Answers with the messages whose names are theirs alone.
 */
export function checkMessages(messages: readonly Message[], mistakes: Mistakes): readonly Message[] {
  const seen = new Map<string, Message>();
  return messages.filter((message) => {
    checkOne(message, (text) => mistakes.add(message.file, `${message.code} ${message.slug}`, text));
    const taken = [message.code, message.slug].find((key) => seen.has(key));
    const earlier = seen.get(taken ?? '');
    if (taken !== undefined && earlier) {
      mistakes.add(
        message.file,
        `line ${message.line}`,
        `"${taken}" is used already in ${earlier.file} line ${earlier.line}`,
      );
      return false;
    }
    seen.set(message.code, message).set(message.slug, message);
    return true;
  });
}

function checkOne(message: Message, mistake: (text: string) => void): void {
  const { metadata } = message;
  const allowed = prefixes[message.file.slice('schemas/messages/'.length)] ?? ['SVC9'];
  if (!allowed.some((prefix) => message.code.startsWith(prefix)))
    mistake(`codes of this file begin with ${allowed.join(' or ')}`);
  if (message.text === '') mistake('there is no message: a line that begins with ">"');
  if (message.prose === '') mistake('it does not say why it is one and what to do');
  if ((metadata.severity === undefined) === (metadata.class === undefined))
    mistake('it needs either "severity" (a diagnostic) or "class" (a failure)');
  if (isDiagnostic(message)) checkDiagnostic(message, mistake);
  else checkFailure(message, mistake);
}

function checkDiagnostic({ metadata, text, bad, good }: Message, mistake: (text: string) => void): void {
  if (!severities.includes(metadata.severity ?? ''))
    mistake(`"${metadata.severity}" is no severity; known are ${severities.join(', ')}`);
  for (const key of ['kinds', 'exception'] as const)
    if (metadata[key] !== undefined) mistake(`"${key}" belongs to failures`);
  for (const tag of list(metadata.tags))
    if (tag !== 'deprecated' && tag !== 'unnecessary') mistake(`"${tag}" is no tag; known are deprecated, unnecessary`);
  if ((bad.length === 0) !== (good.length === 0)) mistake('"### Bad" and "### Good" come together');
  for (const name of argumentsOf(`${text} ${metadata.label ?? ''} ${metadata.help ?? ''}`)) {
    if (reservedOfDiagnostics.includes(name))
      mistake(`an argument cannot be called "${name}": constructors use that name`);
  }
}

function checkFailure({ metadata, text }: Message, mistake: (text: string) => void): void {
  if (metadata.class !== undefined && !classes.includes(metadata.class))
    mistake(`"${metadata.class}" is no failure class; known are ${[...classes].sort().join(', ')}`);
  for (const key of ['label', 'tags'] as const)
    if (metadata[key] !== undefined) mistake(`"${key}" belongs to diagnostics`);
  for (const kind of list(metadata.kinds))
    if (!/^[a-z][a-z0-9_]*$/.test(kind)) mistake(`"${kind}" is no kind: small letters, digits and "_"`);
  if (metadata.exception !== undefined && !/^[A-Z][A-Za-z0-9]*$/.test(metadata.exception))
    mistake(`"${metadata.exception}" is no exception name`);
  for (const name of argumentsOf(`${text} ${metadata.help ?? ''}`)) {
    if (reservedOfFailures.includes(name))
      mistake(`an argument cannot be called "${name}": constructors use that name`);
  }
}

/** A comma-separated value; empty where there is none. */
export function list(value: string | undefined): readonly string[] {
  return value === undefined
    ? []
    : value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
}
