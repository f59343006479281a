import { expect, test } from 'vitest';

import { gathered } from '#stdlib/files/gathered.ts';

const LARGE = 512 * 1024;

/** Pieces of one buffer, which is overwritten for each. */
async function* reusing(sizes: readonly number[], told: number[] = []): AsyncGenerator<Uint8Array, void> {
  const buffer = Buffer.alloc(Math.max(...sizes, 1));
  try {
    for (const [index, size] of sizes.entries()) {
      buffer.fill(index % 251);
      told.push(index);
      yield buffer.subarray(0, size);
      buffer.fill(255);
    }
  } finally {
    told.push(-1);
  }
}

async function copied(source: AsyncIterable<Uint8Array>): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(Buffer.from(piece));
  return pieces;
}

test.each([
  { what: 'nothing', sizes: [] },
  { what: 'an empty piece', sizes: [0] },
  { what: 'a short end', sizes: [10] },
  { what: 'what fits exactly', sizes: [LARGE - 1, 1, LARGE] },
  { what: 'many small pieces', sizes: Array.from({ length: 3000 }, (_, index) => (index * 7919) % 1500) },
  { what: 'pieces that are larger', sizes: [3 * LARGE + 5, LARGE, 1, 2 * LARGE] },
])('keeps each byte of $what, in full pieces but for the last', async ({ sizes }) => {
  const whole = Buffer.concat(await copied(reusing(sizes)));
  const pieces = await copied(gathered(reusing(sizes)));
  expect(Buffer.concat(pieces).equals(whole)).toBe(true);
  expect(pieces.slice(0, -1).every((piece) => piece.length === LARGE)).toBe(true);
  expect(pieces.every((piece) => piece.length > 0)).toBe(true);
});

test('reads on while a piece is being used, and no further than one piece', async () => {
  const told: number[] = [];
  const pieces = gathered(
    reusing(
      Array.from({ length: 40 }, () => LARGE / 4),
      told,
    ),
  );
  const { value } = await pieces.next();
  const first = Buffer.from(value ?? []);
  await new Promise((resolve) => setImmediate(resolve));
  // Four are with the reader, four are gathered, and one waits for room.
  expect(told).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(Buffer.from(value ?? []).equals(first)).toBe(true);
  await pieces.return();
  expect(told.at(-1)).toBe(-1);
});

test('hands on what came before the source failed', async () => {
  async function* failing(): AsyncGenerator<Uint8Array, void> {
    yield Buffer.from('all that came');
    throw new Error('cut off');
  }
  const pieces = gathered(failing());
  expect(Buffer.from((await pieces.next()).value ?? []).toString()).toBe('all that came');
  await expect(pieces.next()).rejects.toThrow('cut off');
});

test('ends the source where the reader fails, and tells the reader’s failure', async () => {
  const told: number[] = [];
  const work = async (): Promise<void> => {
    for await (const _ of gathered(reusing([LARGE, LARGE, LARGE, LARGE], told))) throw new Error('disk full');
  };
  await expect(work()).rejects.toThrow('disk full');
  expect(told.at(-1)).toBe(-1);
});
