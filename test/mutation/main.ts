import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { Meetings, nameOf, type Meeting } from './meetings.ts';
import type { Failed } from './passes.ts';
import { sampleOf, type Placed } from './sample.ts';
import { TestedCopy } from './tested-copy.ts';

/**
 * Puts small changes behind switches in copies of the code, learns which tests meet which, and runs those tests with
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
    /** Copies in which tests run at once. */
    copies: { type: 'string', default: String(Math.min(4, availableParallelism())) },
    /** Seconds in which a test begins or ends, each may take 20: more where the machine has much else to do. */
    patience: { type: 'string', default: '60' },
  },
});

interface Outcome {
  readonly key: string;
  /** The test that noticed the change. */
  readonly by: string | null;
}

/** Places of the files of tests that run in each round: what the nearest notice costs little. */
const ROUNDS: readonly (readonly [number, number])[] = [
  [0, 3],
  [3, Infinity],
];

/** Seconds of tests for one change: those of the files that are nearest and quickest answer for it. */
const ENOUGH = 40;

/** Files of tests that are asked at a time, so that little is lost when a run is ended. */
const AT_A_TIME = 20;

const patience = Number(values.patience);
const changes = sampleOf(root, { count: Number(values.sample), seed: values.seed, only: new RegExp(values.only) });
const modules = [...new Set(changes.map(({ file }) => file))];
const journal = path.join(values.state, 'outcomes.jsonl');
const told = path.join(values.state, `meetings-${nameOf(root, changes)}.jsonl`);
mkdirSync(values.state, { recursive: true });

const ended = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());
const copies: TestedCopy[] = [];
try {
  for (let made = 0; made < Number(values.copies); made += 1)
    copies.push(await TestedCopy.of({ root, changes, modules }, ended.signal));
  process.env['SVC_TEST_IS_BUILT'] = '1';
  await learn();
  if (!ended.signal.aborted) report(await judgeAll(new Meetings(told, root)));
} finally {
  for (const copy of copies) copy.end();
}

/** Gives each piece of work to a copy that is free, until all is done or the run is ended. */
async function share<Work>(work: readonly Work[], carryOut: (copy: TestedCopy, one: Work) => Promise<void>) {
  const left = work.values();
  await Promise.all(
    copies.map(async (copy) => {
      for (const one of left) {
        if (ended.signal.aborted) return;
        await carryOut(copy, one);
      }
    }),
  );
}

/** Runs the tests as they are, and notes which changes each meets. */
async function learn(): Promise<void> {
  const wanted = new RegExp(values.tests);
  const known = new Meetings(told, root);
  const files = globSync('test/**/*.test.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => wanted.test(file) && !known.has(file))
    .toSorted((a, b) => Number(isSlow(a)) - Number(isSlow(b)) || (a < b ? -1 : 1));
  const pieces = Array.from({ length: Math.ceil(files.length / AT_A_TIME) }, (_, index) =>
    files.slice(index * AT_A_TIME, (index + 1) * AT_A_TIME),
  );
  let learned = 0;
  await share(pieces, async (copy, piece) => {
    const failed = await copy.learn(piece, told, 5 * patience);
    console.log(`learned ${(learned += piece.length)}/${files.length} files of tests`);
    for (const { file, test } of failed)
      console.log(`  fails without a change, and counts for nothing: ${file}: ${test}`);
  });
}

function isSlow(file: string): boolean {
  return file.endsWith('.slow.test.ts');
}

/** A change that some tests are to notice. */
interface Suspect {
  readonly number: number;
  readonly chosen: readonly Meeting[];
}

/** Judges what is not known, in rounds: the nearest files of tests first, and what costs little before the rest. */
async function judgeAll(meetings: Meetings): Promise<readonly Outcome[]> {
  const first = [...changes.entries()].slice(0, values.first === '' ? changes.length : Number(values.first));
  const known = new Map(readJournal().map((outcome) => [outcome.key, outcome]));
  const noticed = new Map<number, string | null>();
  for (const [number, { key }] of first) {
    const before = known.get(key);
    if (before !== undefined && (before.by !== null || !values.again)) noticed.set(number, before.by);
  }
  const met = first.map(([number, change]) => ({ number, all: enough(meetingsOf(change, number, meetings)) }));
  for (const [from, to] of ROUNDS) {
    const suspects = met
      .filter(({ number }) => !noticed.has(number))
      .map(({ number, all }): Suspect => ({ number, chosen: all.slice(from, to) }))
      .filter(({ chosen }) => chosen.length > 0)
      .toSorted((a, b) => secondsOf(a) - secondsOf(b));
    await share(suspects, async (copy, suspect) => {
      const by = await noticedBy(copy, suspect);
      if (by !== undefined && !ended.signal.aborted) settle(noticed, suspect.number, by);
    });
    if (ended.signal.aborted) return outcomesOf(noticed);
    console.log(`${noticed.size} of ${first.length} settled`);
  }
  for (const [number] of first) if (!noticed.has(number)) settle(noticed, number, null);
  return outcomesOf(noticed);
}

function enough(meetings: readonly Meeting[]): readonly Meeting[] {
  let total = 0;
  return meetings.filter(({ duration }, index) => (total += duration) <= ENOUGH || index < 2);
}

function secondsOf({ chosen }: Suspect): number {
  return chosen.reduce((sum, { duration }) => sum + duration, 0);
}

function settle(noticed: Map<number, string | null>, number: number, by: string | null): void {
  noticed.set(number, by);
  const key = changes[number]?.key ?? '';
  appendFileSync(journal, `${JSON.stringify({ key, by })}\n`);
  console.log(`${by === null ? 'SURVIVED' : 'killed  '} ${key}`);
}

function outcomesOf(noticed: ReadonlyMap<number, string | null>): readonly Outcome[] {
  return [...noticed].map(([number, by]) => ({ key: changes[number]?.key ?? '', by }));
}

/** A change of what runs while a module loads is met by all tests that use the module. */
function meetingsOf({ file, isAtLoad }: Placed, number: number, meetings: Meetings): readonly Meeting[] {
  return meetings.with(isAtLoad ? [number, changes.length + modules.indexOf(file)] : [number], file);
}

/** Resolves with the test that noticed the change; undefined where none did. */
async function noticedBy(copy: TestedCopy, { number, chosen }: Suspect): Promise<string | undefined> {
  const order = { files: chosen.map(({ file }) => file), tests: [...new Set(chosen.flatMap(({ tests }) => tests))] };
  const [failure] = await copy.failed(order, patience, number);
  if (failure === undefined) return undefined;
  if (!isCertain(failure)) {
    // A test that fails without the change too has noticed nothing.
    const [other] = await copy.failed(order, patience);
    if (other !== undefined) {
      console.log(`  fails without a change, and counts for nothing: ${JSON.stringify(other)}`);
      return undefined;
    }
  }
  return `${failure.file}: ${failure.test ?? 'outside of its tests'}${failure.isStuck === true ? ', stuck' : ''}`;
}

function isCertain({ test, isStuck }: Failed): boolean {
  return test !== undefined && isStuck !== true;
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
