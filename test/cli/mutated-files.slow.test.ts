import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { root } from '../built.ts';
import { beyond, leftByReaders, leftByVerbs } from '../hostile/beyond.ts';
import type { JobResult } from '../hostile/job.ts';
import { runJobs } from '../hostile/run-jobs.ts';
import { openWorld, type World } from '../hostile/world.ts';
import { expectManners } from './manners.ts';

/** Number of mutated files that each way is given; `MUTATIONS=20000` digs deeper, `SEED=7` elsewhere. */
const COUNT = Number(process.env['MUTATIONS'] ?? (process.env['SVC_TEST_FULL'] ? 30_000 : 275));
const SEED = Number(process.env['SEED'] ?? 1);

const corpus = ['examples', 'test/run', 'test/rules', 'test/phases', 'test/migrate'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ya?ml|json)$/.test(name) && !/record\.json|steps|_actual/.test(name))
    .toSorted()
    .map((name) => readFileSync(join(root, folder, name))),
);

/** Mulberry32: the same numbers for the same seed, so that a failure can be looked at again. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const splinters = [
  '${',
  '{{',
  '}}',
  '[',
  ']',
  '{',
  '}',
  ':',
  '- ',
  ', ',
  '"',
  "'",
  '#',
  '&a',
  '*a',
  '|',
  '>',
  '\n',
  '\t',
  '\\',
  '\0',
  '\u001b',
  'é',
  '🙂',
  'null',
  '-1',
  '1e999',
  'true',
  '__proto__',
  '!x',
  '---\n',
  '\r',
  '%',
  '@',
  '`',
  ' ',
  '  ',
  '# svc-ignore ',
  'meta: ',
  'expect: ',
  'WR_quit',
  'FA_if_exists: { path: a, then: ',
];

/** Cuts, doubles, moves and plants pieces in a file, and joins it with another one. */
function mutated(random: (below: number) => number): Buffer {
  let bytes = corpus[random(corpus.length)] ?? Buffer.alloc(0);
  for (let times = 1 + random(4); times > 0; times -= 1) {
    const at = random(bytes.length + 1);
    const length = random(Math.min(40, bytes.length - at + 1));
    const other = corpus[random(corpus.length)] ?? bytes;
    const kinds = [
      () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]),
      () => Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]),
      () =>
        Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(splinters[random(splinters.length)] ?? ''),
          bytes.subarray(at),
        ]),
      () => Buffer.concat([bytes.subarray(0, at), Buffer.from([random(256)]), bytes.subarray(at + 1)]),
      () => Buffer.concat([bytes.subarray(0, at), other.subarray(random(other.length + 1))]),
      () => bytes.subarray(0, at),
    ];
    bytes = kinds[random(kinds.length)]?.() ?? bytes;
  }
  return bytes.subarray(0, 100_000);
}

const ways = [
  ['lint', '--format', 'sarif', '-'],
  ['lint', '-'],
  ['migrate', '-'],
  ['plan', '-'],
  ['run', '--dry-run', '-'],
  ['lint', '--fix', '-'],
  ['migrate', '--write', '-'],
] as const;

/** Inputs that once made something fail. */
const kept = join(root, 'test/fuzz/kept');
/** So many files share a process, and what is noted of it. */
const BATCH = 5_000;
/** Processor time (ms) of one file. */
const MOST_MS = 10_000;

/** Keeps an input that failed, to be given a name and committed with the mend. */
function keep(input: Buffer): void {
  if (process.env['CI']) return;
  writeFileSync(join(kept, `${createHash('sha256').update(input).digest('hex').slice(0, 12)}.txt`), input);
}

describe.runIf(process.platform === 'linux')('under limits of the system, and nothing outside is touched:', () => {
  let world: World;
  beforeAll(() => {
    world = openWorld();
  });
  afterAll(() => world.close());

  /** Result of a way for each input. */
  async function saidOf(
    way: readonly string[],
    inputs: readonly Buffer[],
  ): Promise<readonly (JobResult | undefined)[]> {
    const jobs = inputs.map((input, at) => {
      const path = join(world.box, `${at}.given`);
      writeFileSync(path, input);
      return { cwd: world.box, words: way, input: path };
    });
    const { results, traces } = await runJobs(world, jobs, { seconds: 60, mib: 1536 });
    for (const { input } of jobs) rmSync(input);
    const mayBeLeft = way[0] === 'run' ? leftByVerbs : leftByReaders;
    expect(await beyond(world, traces, mayBeLeft), way.join(' ')).toEqual([]);
    return results;
  }

  function expectGood(said: JobResult | undefined, what: string): asserts said is JobResult {
    expect(said, `${what} ends the process, or takes too long`).toBeDefined();
    if (said === undefined) return;
    expectManners(said, what);
    expect(said.ms, what).toBeLessThan(MOST_MS);
  }

  test.each(ways.map((way) => [way.join(' '), way] as const))('svc %s answers what once failed', async (_, way) => {
    const names = readdirSync(kept);
    expect(names.length).toBeGreaterThan(5);
    const said = await saidOf(
      way,
      names.map((name) => readFileSync(join(kept, name))),
    );
    for (const [at, name] of names.entries()) expectGood(said[at], `svc ${way.join(' ')} of ${name}`);
  });

  test.each(ways.map((way, index) => [way.join(' '), way, index] as const))(
    `svc %s answers ${COUNT} mutated files with a diagnostic`,
    async (_, way, index) => {
      const random = randomFrom(SEED * 1_000 + index);
      let sound = 0;
      for (let from = 0; from < COUNT; from += BATCH) {
        const inputs = Array.from({ length: Math.min(BATCH, COUNT - from) }, () => mutated(random));
        const results = await saidOf(way, inputs);
        for (const [at, input] of inputs.entries())
          judge(way, input, results[at], `svc ${way.join(' ')}, SEED=${SEED}, file ${from + at}`);
        sound += results.filter((said) => said?.exit === 0).length;
        if (way[1] === '--write') await expectRest(results);
      }
      expect(sound, 'some mutations leave a sound file').toBeGreaterThan(Math.floor(COUNT / 300));
    },
    Math.max(600_000, COUNT * 100),
  );

  function judge(way: readonly string[], input: Buffer, said: JobResult | undefined, what: string): void {
    try {
      expectGood(said, `${what}:\n${JSON.stringify(input.toString('latin1').slice(0, 3_000))}`);
      if (way[1] === '--format') expect(() => void JSON.parse(said.stdout)).not.toThrow();
    } catch (error) {
      keep(input);
      throw error;
    }
  }

  /** Expects that a written file can be read again, and needs nothing more. */
  async function expectRest(results: readonly (JobResult | undefined)[]): Promise<void> {
    const written = results.flatMap((said) => (said?.stdout ? [said.stdout] : []));
    const again = await saidOf(
      ['migrate', '-'],
      written.map((text) => Buffer.from(text)),
    );
    expect(again.flatMap((said, at) => (said?.stdout === '' ? [] : [written[at]]))).toEqual([]);
  }
});
