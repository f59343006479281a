import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseDocument } from 'yaml';

import { bytesOf, type Content } from './content.ts';
import type { Job, JobResult } from './job.ts';
import { contained } from './row-case.ts';

/** A text that costs little to write and could cost much to read. */
export interface Bomb {
  /** Its path below `bombs/`. */
  readonly name: string;
  readonly about: string;
  /** Name of the action file: `a.yaml` unless said. */
  readonly file?: string;
  readonly content: Content;
  /** Files beside it. */
  readonly beside?: Readonly<Record<string, Content>>;
  /** Findings of `check` in the order of their names; `unreadable` where it ends with wrong use. */
  readonly finds?: readonly string[];
}

const folder = join(import.meta.dirname, 'bombs');

export function bombs(): readonly Bomb[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .sort();
  return files.map((file) => ({
    name: file.slice(0, -'.yaml'.length),
    ...(parseDocument(readFileSync(join(folder, file), 'utf8')).toJS() as Omit<Bomb, 'name'>),
  }));
}

/** Writes a bomb into a root of its own below a folder; yields that root. */
export function lay(bomb: Bomb, below: string): string {
  const root = join(below, bomb.name);
  mkdirSync(join(root, '.git'), { recursive: true });
  writeFileSync(join(root, bomb.file ?? 'a.yaml'), bytesOf(bomb.content));
  for (const [name, content] of Object.entries(bomb.beside ?? {})) writeFileSync(join(root, name), bytesOf(content));
  return root;
}

const closed = ['--deny', 'shell,packages,script,private'];

/** Command lines that a bomb is given to. The first one tells what is wrong with it. */
export const verbs: readonly ((file: string) => readonly string[])[] = [
  (file) => ['check', '--json', file],
  (file) => ['check', file],
  (file) => ['lint', file],
  (file) => ['lint', '--format', 'sarif', file],
  (file) => ['plan', file],
  (file) => ['migrate', file],
  (file) => ['fmt', '--diff', file],
  (file) => ['explain', file],
  (file) => ['plan', '--types', file],
  (file) => ['compile', file, '-o', 'out'],
  (file) => ['run', '--dry-run', ...closed, file],
  (file) => ['run', '--once', ...closed, file],
];

export function jobOf(bomb: Bomb, cwd: string, verb: (typeof verbs)[number]): Job {
  return { cwd, words: verb(bomb.file ?? 'a.yaml') };
}

/** Longest line of what is said of a mistake: texts that are quoted are cut. */
const LONGEST_LINE = 2_000;

/** Problems of a verb's result for a bomb. */
export function problemsOfBomb(result: JobResult | undefined, mostMs: number): readonly string[] {
  if (result === undefined) return ['ends the process, or takes too long'];
  const { stdout, stderr, exit, ms } = result;
  const problems = [...contained(stdout), ...contained(stderr)];
  if (![0, 1, 2].includes(exit)) problems.push(`ends with ${exit}: ${stderr.slice(0, 500)}`);
  if (ms > mostMs) problems.push(`takes ${ms} ms`);
  // A mistake is told in a few lines, however large what is wrong; of a file fifty are told.
  if (stderr.length > 100_000) problems.push(`says ${stderr.length} characters`);
  const longest = Math.max(...stderr.split('\n').map(({ length }) => length));
  if (longest > LONGEST_LINE) problems.push(`says ${longest} characters on a line`);
  return problems;
}

/** Names of the findings of `check --json`. */
export function findsOf({ stdout, exit }: JobResult): readonly string[] {
  if (exit === 2) return ['unreadable'];
  return [...new Set(diagnosticsOf(stdout).map(({ slug }) => slug))].sort();
}

/** Findings of `check --json` whose texts are longer than a page. */
export function longFindsOf({ stdout, exit }: JobResult): readonly string[] {
  if (exit === 2) return [];
  return diagnosticsOf(stdout).flatMap(({ slug, message, help = '', related = [], fixes = [] }) => {
    const texts = [message, help, ...related.map((label) => label.message ?? ''), ...fixes.map(({ title }) => title)];
    const longest = Math.max(...texts.map(({ length }) => length));
    return longest > LONGEST_LINE ? [`${slug} says ${longest} characters`] : [];
  });
}

interface Finding {
  readonly slug: string;
  readonly message: string;
  readonly help?: string;
  readonly related?: readonly { readonly message?: string }[];
  readonly fixes?: readonly { readonly title: string }[];
}

function diagnosticsOf(stdout: string): readonly Finding[] {
  return (JSON.parse(stdout) as { readonly diagnostics: readonly Finding[] }).diagnostics;
}

/** Writes down what `check` finds in a bomb today, for a review. */
export function rewrite({ name }: Bomb, finds: readonly string[]): void {
  const path = join(folder, `${name}.yaml`);
  const document = parseDocument(readFileSync(path, 'utf8'));
  document.set('finds', document.createNode(finds, { flow: true }));
  writeFileSync(path, document.toString({ lineWidth: 110 }));
}
