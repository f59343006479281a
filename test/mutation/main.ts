import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { copyOfProject } from './copy.ts';
import { Meetings, nameOf, type Meeting } from './meetings.ts';
import { Judge, type Order } from './passes.ts';
import { sampleOf, type Placed } from './sample.ts';
import { sharedBelow } from './switch.ts';
import { withSwitches } from './switches.ts';

/**
 * Puts small changes behind switches in a copy of the code, learns which tests meet which, and runs those tests with
 * one change after the other: a change with which all of them pass shows a gap. What is known stands in the folder
 * `--state`, so that a run which was ended goes on; `--again` judges survivors anew.
 */
const root = path.resolve(import.meta.dirname, '../..');
const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    /** Test files that are asked which changes they meet, by parts of their paths. */
    tests: {
      type: 'string',
      default: 'test/(?!architecture|bench|contracts|fuzz|generate|mutation|pack|phases|rules)',
    },
    /** Seconds after which the tests of one file count as failed. */
    seconds: { type: 'string', default: '120' },
    state: { type: 'string', default: path.join(root, '.cache/mutation') },
    again: { type: 'boolean', default: false },
  },
});

interface Outcome {
  readonly key: string;
  /** What noticed the change. */
  readonly by: string | null;
}

const chosen = sampleOf(root, { count: Number(values.sample), seed: values.seed, only: new RegExp(values.only) });
const journal = path.join(values.state, 'outcomes.jsonl');
const told = path.join(values.state, `meetings-${nameOf(root, chosen)}.jsonl`);
mkdirSync(values.state, { recursive: true });

const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());
const copy = copyOfProject(root);
const judge = new Judge({ folder: copy.folder, signal: ended.signal });
/** Numbers of probes, behind those of changes: modules by their place in this list. */
const modules = [...new Set(chosen.map(({ file }) => file))];
const sound = new Map<string, boolean>();
try {
  for (const [index, file] of modules.entries()) addSwitches(file, chosen.length + index);
  await learn();
  if (!ended.signal.aborted) report(await judgeAll(new Meetings(told)));
} finally {
  judge.end();
  copy.remove();
}

function addSwitches(file: string, probe: number): void {
  const place = path.join(copy.folder, file);
  const mutants = chosen.map((mutant, number) => ({ ...mutant, number })).filter((mutant) => mutant.file === file);
  const setUp = path.join(copy.folder, 'test/mutation/set-up.ts');
  if (!existsSync(setUp))
    writeFileSync(setUp, `import { setUp } from './switch.ts';\nsetUp(${JSON.stringify(copy.folder)});\n`);
  const atLoad = mutants.some(({ isAtLoad }) => isAtLoad);
  const text = withSwitches(readFileSync(path.join(root, file), 'utf8'), mutants, atLoad ? probe : undefined);
  writeFileSync(place, `import ${JSON.stringify(setUp)}; ${text}`);
}

/** Runs the tests as they are, and notes which changes each meets. */
async function learn(): Promise<void> {
  const wanted = new RegExp(values.tests);
  const known = new Meetings(told);
  const files = globSync('test/**/*.test.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => wanted.test(file) && !known.has(file))
    .toSorted((a, b) => Number(isSlow(a)) - Number(isSlow(b)) || (a < b ? -1 : 1));
  const { told: place } = sharedBelow(copy.folder);
  writeFileSync(place, told);
  // A few at a time, so that little is lost when it is ended.
  for (let at = 0; at < files.length && !ended.signal.aborted; at += 20) {
    const failed = await judge.failed({ files: files.slice(at, at + 20), isFirstEnough: false }, 1200);
    console.log(`learned ${Math.min(at + 20, files.length)}/${files.length} files of tests`);
    for (const name of failed) console.log(`  fails without a change, and counts for nothing: ${name}`);
  }
  rmSync(place);
}

function isSlow(file: string): boolean {
  return file.endsWith('.slow.test.ts');
}

async function judgeAll(meetings: Meetings): Promise<readonly Outcome[]> {
  const known = new Map(readJournal().map((outcome) => [outcome.key, outcome]));
  const outcomes: Outcome[] = [];
  for (const [number, mutant] of chosen.entries()) {
    const before = known.get(mutant.key);
    const isKnown = before !== undefined && (before.by !== null || !values.again);
    const by = isKnown ? before.by : await noticedBy(number, meetingsOf(mutant, number, meetings));
    if (ended.signal.aborted) break;
    const outcome = { key: mutant.key, by };
    if (!isKnown) appendFileSync(journal, `${JSON.stringify(outcome)}\n`);
    outcomes.push(outcome);
    console.log(`${number + 1}/${chosen.length} ${by === null ? 'SURVIVED' : 'killed  '} ${mutant.key}`);
  }
  return outcomes;
}

/** A change of what runs while a module loads is met by all tests that use the module. */
function meetingsOf({ file, isAtLoad }: Placed, number: number, meetings: Meetings): readonly Meeting[] {
  return meetings.with(isAtLoad ? [number, chosen.length + modules.indexOf(file)] : [number], file);
}

/** Resolves with the test that fails with the change and passes without it; `null` when there is none. */
async function noticedBy(number: number, meetings: readonly Meeting[]): Promise<string | null> {
  for (const group of inGroups(meetings)) {
    const order = orderOf(group);
    const failed = await failedWith(number, order, limitOf(group));
    if (failed === undefined) continue;
    // The test that passed when it was asked what it meets is believed; the rest is tried without the change.
    const isNamed = group.some(({ file, tests }) => tests?.includes(failed) === true && !isSlow(file));
    if (isNamed || (await isSound(order, limitOf(group)))) return `${order.files.join(', ')}: ${failed}`;
  }
  return null;
}

/** The first file alone, then many at once: most changes are noticed soon, and each run takes seconds to begin. */
function inGroups(meetings: readonly Meeting[]): readonly (readonly Meeting[])[] {
  const [first, ...others] = meetings;
  const size = 20;
  const groups = Array.from({ length: Math.ceil(others.length / size) }, (_, at) =>
    others.slice(at * size, (at + 1) * size),
  );
  return first === undefined ? [] : [[first], ...groups];
}

function orderOf(group: readonly Meeting[]): Order {
  const isWhole = group.some(({ tests }) => tests === undefined);
  return {
    files: group.map(({ file }) => file),
    tests: isWhole ? undefined : group.flatMap(({ tests = [] }) => tests),
    isFirstEnough: true,
  };
}

/** Seconds: several times as long as the files took without a change. */
function limitOf(group: readonly Meeting[]): number {
  const usual = group.reduce((sum, { duration }) => sum + duration, 0);
  return Math.min(Number(values.seconds), 15 + 3 * usual);
}

async function failedWith(number: number, order: Order, seconds: number): Promise<string | undefined> {
  const { chosen: place, asked } = sharedBelow(copy.folder);
  writeFileSync(place, String(number));
  const [failed] = await judge.failed(order, seconds);
  rmSync(place);
  rmSync(asked, { force: true });
  return failed;
}

/** Tests that fail without a change notice nothing. */
async function isSound(order: Order, seconds: number): Promise<boolean> {
  const key = JSON.stringify(order);
  const before = sound.get(key);
  if (before !== undefined) return before;
  const [failed] = await judge.failed(order, seconds);
  if (failed !== undefined) console.log(`  fails without a change, and counts for nothing: ${failed}`);
  sound.set(key, failed === undefined);
  return failed === undefined;
}

function readJournal(): readonly Outcome[] {
  if (!existsSync(journal)) return [];
  return readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Outcome);
}

function report(outcomes: readonly Outcome[]): void {
  const survivors = outcomes.filter(({ by }) => by === null);
  const killed = outcomes.length - survivors.length;
  console.log(`${killed} of ${outcomes.length} killed (${((100 * killed) / outcomes.length).toFixed(1)} %)`);
  for (const { key } of survivors) console.log(`  survived: ${key}`);
  process.exitCode = killed >= chosen.length * 0.9 ? 0 : 1;
}
