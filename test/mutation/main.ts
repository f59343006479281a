import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { batchesOf, blamed, orderOf, type Suspect } from './batches.ts';
import { copyOfProject } from './copy.ts';
import { Meetings, nameOf, type Meeting } from './meetings.ts';
import { Judge, type Failed } from './passes.ts';
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
    state: { type: 'string', default: path.join(root, '.cache/mutation') },
    again: { type: 'boolean', default: false },
    /** So many of the sample are judged: what was learned of all stays of use. */
    first: { type: 'string', default: '' },
    /** Seconds in which a test begins or ends, each may take 20: more where the machine has much else to do. */
    patience: { type: 'string', default: '60' },
  },
});

interface Outcome {
  readonly key: string;
  /** The test that noticed the change. */
  readonly by: string | null;
}

/** Places of the files of tests that run in each round. */
const ROUNDS: readonly (readonly [number, number])[] = [
  [0, 1],
  [1, 5],
  [5, Infinity],
];

/** Seconds of tests for one change: those of the files that are nearest and quickest answer for it. */
const ENOUGH = 40;

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
try {
  for (const [index, file] of modules.entries()) addSwitches(file, chosen.length + index);
  buildCopy();
  await learn();
  if (!ended.signal.aborted) report(await judgeAll(new Meetings(told, root)));
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

/** Makes `dist/` of the copy once, with all switches in it: tests of the built package meet changes too. */
function buildCopy(): void {
  const build = ['--conditions=source', '.ci/build/main.ts', '--without-types'];
  execFileSync(process.execPath, build, { cwd: copy.folder, stdio: ['ignore', 'ignore', 'inherit'] });
  process.env['SVC_TEST_IS_BUILT'] = '1';
}

/** Runs the tests as they are, and notes which changes each meets. */
async function learn(): Promise<void> {
  const wanted = new RegExp(values.tests);
  const known = new Meetings(told, root);
  const files = globSync('test/**/*.test.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => wanted.test(file) && !known.has(file))
    .toSorted((a, b) => Number(isSlow(a)) - Number(isSlow(b)) || (a < b ? -1 : 1));
  const { told: place } = sharedBelow(copy.folder);
  writeFileSync(place, told);
  // A few at a time, so that little is lost when it is ended.
  for (let at = 0; at < files.length && !ended.signal.aborted; at += 20) {
    const failed = await judge.failed({ files: files.slice(at, at + 20) }, 5 * Number(values.patience));
    console.log(`learned ${Math.min(at + 20, files.length)}/${files.length} files of tests`);
    for (const { file, test } of failed)
      console.log(`  fails without a change, and counts for nothing: ${file}: ${test}`);
  }
  rmSync(place);
}

function isSlow(file: string): boolean {
  return file.endsWith('.slow.test.ts');
}

/** Judges what is not known, in rounds: the nearest file of tests first, and more for what it did not notice. */
async function judgeAll(meetings: Meetings): Promise<readonly Outcome[]> {
  const first = [...chosen.entries()].slice(0, values.first === '' ? chosen.length : Number(values.first));
  const known = new Map(readJournal().map((outcome) => [outcome.key, outcome]));
  const noticed = new Map<number, string | null>();
  for (const [number, { key }] of first) {
    const before = known.get(key);
    if (before !== undefined && (before.by !== null || !values.again)) noticed.set(number, before.by);
  }
  const all = first.map(([number, mutant]) => ({ number, all: meetingsOf(mutant, number, meetings) }));
  for (const [from, to] of ROUNDS) {
    const left = all.filter(({ number }) => !noticed.has(number));
    const suspects = left
      .map(({ number, all: met }): Suspect => ({
        number,
        chosen: enough(met).slice(from, to),
        met: new Map(met.map((one) => [one.file, one])),
      }))
      .filter((suspect) => suspect.chosen.length > 0);
    for (const batch of batchesOf(suspects)) {
      const found = await noticedIn(batch);
      if (ended.signal.aborted) return outcomesOf(noticed);
      for (const [number, by] of found) settle(noticed, number, by);
    }
    console.log(`${noticed.size} of ${chosen.length} settled`);
  }
  for (const [number] of first) if (!noticed.has(number)) settle(noticed, number, null);
  return outcomesOf(noticed);
}

function enough(meetings: readonly Meeting[]): readonly Meeting[] {
  let total = 0;
  return meetings.filter(({ duration }, index) => (total += duration) <= ENOUGH || index < 2);
}

function settle(noticed: Map<number, string | null>, number: number, by: string | null): void {
  if (noticed.has(number)) return;
  noticed.set(number, by);
  const key = chosen[number]?.key ?? '';
  appendFileSync(journal, `${JSON.stringify({ key, by })}\n`);
  console.log(`${by === null ? 'SURVIVED' : 'killed  '} ${key}`);
}

function outcomesOf(noticed: ReadonlyMap<number, string | null>): readonly Outcome[] {
  return [...noticed].map(([number, by]) => ({ key: chosen[number]?.key ?? '', by }));
}

/** A change of what runs while a module loads is met by all tests that use the module. */
function meetingsOf({ file, isAtLoad }: Placed, number: number, meetings: Meetings): readonly Meeting[] {
  return meetings.with(isAtLoad ? [number, chosen.length + modules.indexOf(file)] : [number], file);
}

/** Resolves with the numbers of changes that tests noticed, each with one of those tests. */
async function noticedIn(batch: readonly Suspect[]): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  const [alone] = batch;
  if (alone === undefined || ended.signal.aborted) return found;
  const failed = await failedWith(batch);
  for (const failure of failed) {
    const candidates = blamed(batch, failure);
    const isCertain = candidates.length === 1 && failure.test !== undefined && failure.isStuck !== true;
    const by = `${failure.file}: ${failure.test ?? 'outside of its tests'}${failure.isStuck === true ? ', stuck' : ''}`;
    if (isCertain) found.set(candidates[0]?.number ?? -1, by);
    else if (batch.length === 1) {
      if (await isSound(batch)) found.set(alone.number, by);
    } else for (const one of candidates) if (!found.has(one.number)) merge(found, await noticedIn([one]));
    // Those behind it have not been tried; where it tells of none, each half is.
    if (failure.isStuck === true && batch.length > 1)
      for (const rest of candidates.length > 0 ? [without(batch, candidates)] : halvesOf(batch))
        merge(found, await noticedIn(rest));
  }
  return found;
}

function halvesOf(batch: readonly Suspect[]): readonly (readonly Suspect[])[] {
  const middle = Math.ceil(batch.length / 2);
  return [batch.slice(0, middle), batch.slice(middle)];
}

function without(batch: readonly Suspect[], some: readonly Suspect[]): readonly Suspect[] {
  return batch.filter((one) => !some.includes(one));
}

function merge(found: Map<number, string>, more: ReadonlyMap<number, string>): void {
  for (const [number, by] of more) found.set(number, by);
}

async function failedWith(batch: readonly Suspect[]): Promise<readonly Failed[]> {
  const { chosen: place, asked } = sharedBelow(copy.folder);
  writeFileSync(place, batch.map(({ number }) => number).join('\n'));
  const failed = await judge.failed(orderOf(batch), Number(values.patience));
  rmSync(place);
  rmSync(asked, { force: true });
  return failed;
}

/** Tests that fail without a change notice nothing. */
async function isSound(batch: readonly Suspect[]): Promise<boolean> {
  const failed = await judge.failed(orderOf(batch), Number(values.patience));
  if (failed.length > 0) console.log(`  fails without a change, and counts for nothing: ${JSON.stringify(failed)}`);
  return failed.length === 0;
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
  process.exitCode = killed >= outcomes.length * 0.9 ? 0 : 1;
}
