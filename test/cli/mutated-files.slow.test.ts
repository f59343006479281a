import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { root } from '../built.ts';
import { expectManners } from './manners.ts';
import { svc } from './svc.ts';

/** How many mutated files each way is given; `MUTATIONS=20000` digs deeper, `SEED=7` elsewhere. */
const COUNT = Number(process.env['MUTATIONS'] ?? (process.env['SVC_TEST_FULL'] ? 30_000 : 1_500));
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

test.each(ways.map((way) => [way.join(' '), way] as const))('svc %s answers what once failed', async (_, way) => {
  const names = readdirSync(kept);
  expect(names.length).toBeGreaterThan(5);
  for (const name of names) {
    const begin = process.cpuUsage();
    expectManners(await svc(root, way, { input: readFileSync(join(kept, name)) }), `svc ${way.join(' ')} of ${name}`);
    expect(process.cpuUsage(begin).user / 1000, name).toBeLessThan(10_000);
  }
});

/** Keeps an input that failed, to be given a name and committed with the mend. */
function keep(input: Buffer): void {
  if (process.env['CI']) return;
  writeFileSync(join(kept, `${createHash('sha256').update(input).digest('hex').slice(0, 12)}.txt`), input);
}

test.each(ways.map((way, index) => [way.join(' '), way, index] as const))(
  `svc %s answers ${COUNT} mutated files with a diagnostic`,
  async (_, way, index) => {
    const random = randomFrom(SEED * 1_000 + index);
    let sound = 0;
    for (let count = 0; count < COUNT; count += 1) {
      const input = mutated(random);
      const said = await svc(root, way, { input });
      try {
        expectManners(
          said,
          `svc ${way.join(' ')}, SEED=${SEED}, file ${count}:\n${JSON.stringify(input.toString('latin1').slice(0, 3_000))}`,
        );
      } catch (error) {
        keep(input);
        throw error;
      }
      if (said.exit === 0) sound += 1;
      if (way[1] === '--format') expect(() => void JSON.parse(said.stdout)).not.toThrow();
      // What is written can be read again, and needs nothing more.
      if (way[1] === '--write' && said.stdout !== '')
        expect(
          (await svc(root, ['migrate', '-'], { input: said.stdout })).stdout,
          JSON.stringify(input.toString('latin1')),
        ).toBe('');
    }
    expect(sound, 'some mutations leave a sound file').toBeGreaterThan(COUNT / 100);
  },
  600_000,
);
