import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect } from 'vitest';
import { parse } from 'yaml';

import { root } from '../built.ts';
import { someOf } from './sampled.ts';
import { svcWithin, nodeWithin, type Limits, type Outcome, type Start } from './within-limits.ts';
import { CANARY, SECRET, changes, openWorld, type Made, type World } from './world.ts';

/** One command line of a case and what it must come to. Whatever a case says, `expectContained` holds. */
interface Run {
  /** Words behind `svc`. */
  readonly svc?: readonly string[];
  /** Words behind `node`: a compiled program. */
  readonly node?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Standard input stays open, and nothing is ever written to it. */
  readonly waits?: boolean;
  /** Exit statuses that fit: 0, 1 and 2 unless said. */
  readonly exit?: readonly number[];
  /** Texts that the output must hold. */
  readonly says?: readonly string[];
  readonly never?: readonly string[];
  /** Paths from the outer folder that may come, go or change; a star stands for anything. Nothing unless said. */
  readonly makes?: readonly string[];
  /** Paths from the outer folder that are there afterwards. */
  readonly leaves?: readonly string[];
  /** Programs that may be started, by the end of their path. */
  readonly starts?: readonly string[];
  /** Paths outside of the box that may be read: what the command line names, and what the system needs for it. */
  readonly reads?: readonly string[];
  /** Devices that the command line names, and their folder. */
  readonly writes?: readonly string[];
  /** Made before this command line, on top of what is there. */
  readonly before?: Made;
  /** Changes one text of a file of the box before this command line. */
  readonly change?: { readonly file: string; readonly from: string; readonly to: string };
  /** Appended to every file below a folder of the outer one before this command line: what a stranger has forged. */
  readonly forge?: { readonly below: string; readonly text: string };
}

export interface RowCase extends Made {
  readonly name: string;
  readonly about: string;
  /** The row of the table that it belongs to. */
  readonly row: number;
  readonly outside?: Made['files'];
  readonly limits?: Limits;
  /** Browsers take long where each call of theirs is noted. */
  readonly trace?: false;
  /** Runs of the case; left out, every verb is run over the whole box, with closed gates. */
  readonly runs?: readonly Run[];
}

/** The tool's own cache of the user, which no file of a stranger's names. */
const usersCache = ['home/.cache', 'home/.cache/svc', 'home/.cache/svc/*'];

/** Files that allocators and pools of threads ask the system for now and then. */
export const asked = [
  '/sys/devices/system/cpu/*',
  '/proc/sys/vm/overcommit_memory',
  '/sys/fs/cgroup/*',
  '/proc/self/cgroup',
  // The inspector, by which endless loops of modules are ended, opens it.
  '/dev/null',
];

const closed = ['--deny', 'shell,packages,script,private'];

/** Every verb that takes files, over all that is there. */
const everyVerb: readonly Run[] = [
  { svc: ['check', '.'] },
  { svc: ['check', '--json', '.'] },
  { svc: ['lint', '.'] },
  { svc: ['lint', '--format', 'sarif', '.'] },
  { svc: ['plan', '.'] },
  { svc: ['migrate', '.'] },
  { svc: ['compile', '.', '-o', 'out'], makes: ['box/out', 'box/out/*'] },
  { svc: ['run', '--dry-run', ...closed, '.'] },
  { svc: ['run', ...closed, '.'] },
];

export function rowCases(): readonly RowCase[] {
  const folder = join(import.meta.dirname, 'rows');
  return readdirSync(folder)
    .sort()
    .map((file) => ({
      name: file.replace(/\.yaml$/, ''),
      ...(parse(readFileSync(join(folder, file), 'utf8')) as Omit<RowCase, 'name'>),
    }));
}

export async function expectHeld(example: RowCase): Promise<void> {
  const world = openWorld();
  const problems: string[] = [];
  try {
    world.make(example);
    if (example.outside)
      world.make({
        files: Object.fromEntries(Object.entries(example.outside).map(([name, content]) => [`../${name}`, content])),
      });
    const runs = example.runs ?? someOf(everyVerb, 3, ({ svc = [] }) => `${example.name} ${svc.join(' ')}`);
    for (const run of runs) problems.push(...(await problemsOf(world, run, example)));
  } finally {
    world.close();
  }
  expect(problems, example.about).toEqual([]);
}

async function problemsOf(world: World, run: Run, { limits, trace }: RowCase): Promise<readonly string[]> {
  const placed = (text: string): string => text.replaceAll('<outer>', world.outer);
  if (run.before) world.make(run.before);
  if (run.change) change(join(world.box, run.change.file), run.change);
  if (run.forge) world.forge(run.forge.below, run.forge.text);
  const before = world.snapshot();
  const words = (run.node ?? run.svc ?? []).map(placed);
  const env = Object.fromEntries(Object.entries(run.env ?? {}).map(([key, value]) => [key, placed(value)]));
  const start: Start = {
    ...limits,
    env,
    waits: run.waits === true,
    trace: trace !== false,
    ...(run.input !== undefined && { input: run.input }),
  };
  const outcome = await (run.node ? nodeWithin(world, words, start) : svcWithin(world, words, start));
  const after = world.snapshot();
  const problems = [...problemsOfSaid(outcome, run), ...(await problemsOfTrace(world, run, outcome.trace))];
  const may = [...(run.makes ?? []), ...usersCache, ...(run.svc?.[0] === 'run' ? ['box/.svc', 'box/.svc/*'] : [])];
  for (const path of changes(before, after)) if (!fits(path, may)) problems.push(`changes ${path}`);
  for (const path of run.leaves ?? []) if (!after.has(path)) problems.push(`leaves no ${path}`);
  const command = `${run.node ? 'node' : 'svc'} ${words.join(' ')}`.replaceAll(world.outer, '<outer>');
  return problems.map((problem) => `${command}: ${problem}`);
}

function change(path: string, { from, to }: NonNullable<Run['change']>): void {
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from)) throw new Error(`${path} does not hold ${from}`);
  writeFileSync(path, text.replaceAll(from, to));
}

function problemsOfSaid({ stdout, stderr, exit }: Outcome, run: Run): readonly string[] {
  const said = stdout + stderr;
  const problems = [...contained(stdout), ...contained(stderr)];
  if (!(run.exit ?? [0, 1, 2]).includes(exit ?? Number.NaN))
    problems.push(`ends with ${exit ?? 'the clock'}: ${said.slice(-600)}`);
  for (const text of run.says ?? [])
    if (!said.includes(text)) problems.push(`does not say ${text}: ${said.slice(-600)}`);
  for (const text of run.never ?? []) if (said.includes(text)) problems.push(`says ${text}: ${said.slice(-600)}`);
  return problems;
}

// oxlint-disable-next-line no-control-regex -- these are the characters that must not be there
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/**
 * Problems of an output: nothing that a foreign file or a secret holds is printed, and nothing that a terminal would
 * obey.
 */
export function contained(said: string): readonly string[] {
  const problems: string[] = [];
  const around = (at: number): string => JSON.stringify(said.slice(Math.max(0, at - 80), at + 80));
  if (said.includes(CANARY)) problems.push(`shows what stands outside: ${around(said.indexOf(CANARY))}`);
  if (said.includes(SECRET)) problems.push(`shows a secret: ${around(said.indexOf(SECRET))}`);
  const control = controls.exec(said);
  if (control) problems.push(`prints a control character: ${around(control.index)}`);
  if (said.includes('svc itself failed'))
    problems.push(`is a bug of ours: ${around(said.indexOf('svc itself failed'))}`);
  return problems;
}

async function problemsOfTrace(world: World, run: Run, trace: Outcome['trace']): Promise<readonly string[]> {
  const usual = await usualTrace(run);
  const named = (paths: readonly string[] = []): readonly string[] =>
    paths.map((path) => path.replaceAll('<outer>', world.outer));
  const [mayRead, mayWrite] = [[...asked, ...named(run.reads)], named(run.writes)];
  const isOurs = (path: string): boolean =>
    [world.box, root, world.home, world.tmp].some((folder) => below(path, folder));
  const isStarted = (path: string): boolean => usual.has(path) || (run.starts ?? []).some((end) => path.endsWith(end));
  const short = (path: string): string => path.replaceAll(world.outer, '<outer>');
  return [
    ...trace.reads
      .filter((path) => !isOurs(path) && !usual.has(path) && !fits(path, mayRead))
      .map((path) => `reads ${short(path)}`),
    ...trace.writes
      .filter((path) => !below(path, world.outer) && !usual.has(path) && !fits(path, mayWrite))
      .map((path) => `writes ${short(path)}`),
    ...trace.programs.filter((path) => !isStarted(path)).map((path) => `starts ${short(path)}`),
    ...trace.addresses.map((address) => `connects to ${address}`),
  ];
}

/** Verbs that take a file; what the others open is less. */
const ownUsual = ['check', 'lint', 'plan', 'migrate', 'compile', 'run'];
const usualTraces = new Map<string, Promise<ReadonlySet<string>>>();

/**
 * Files that a verb opens and writes, and programs that it starts, for a sound file: the libraries and settings
 * of Node and of the system.
 */
function usualTrace({ svc = ['run'] }: Run): Promise<ReadonlySet<string>> {
  const verb = ownUsual.find((one) => one === svc[0]) ?? 'check';
  const known = usualTraces.get(verb) ?? traceOfSound(verb);
  usualTraces.set(verb, known);
  return known;
}

async function traceOfSound(verb: string): Promise<ReadonlySet<string>> {
  const world = openWorld();
  try {
    world.make({
      files: {
        'a.yaml':
          'actions:\n- [AT_set_variable, { name: a, value: 1 }]\n- FA_create_file: { file_path: made.txt, content: x }\n',
      },
    });
    const words = verb === 'compile' ? [verb, 'a.yaml', '-o', 'out'] : [verb, 'a.yaml'];
    const { trace, exit, stderr } = await svcWithin(world, words);
    if (exit !== 0) throw new Error(`svc ${words.join(' ')} ended with ${exit}: ${stderr}`);
    return new Set([...trace.reads, ...trace.writes, ...trace.programs].filter((path) => !below(path, world.outer)));
  } finally {
    world.close();
  }
}

/** Whether a path is a folder or stands in it. */
export function below(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Whether a path is one of those named; a star at their end stands for anything. */
export function fits(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => (pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern));
}
