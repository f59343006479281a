import fc from 'fast-check';
import { expect, test } from 'vitest';

import { Ranges } from '#compiler/phases/lint/ranges.ts';

import { processorTime } from '../hostile/check-text.ts';

test('what holds a place is what a look at each range finds', () => {
  const range = fc.tuple(fc.nat(20), fc.nat(8)).map(([start, length]) => ({ start, end: start + length }));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 12 }), fc.nat(30), (all, place) => {
      const found = new Ranges(all.map((each, item) => ({ ...each, item }))).at(place).flat();
      const expected = all.flatMap(({ start, end }, item) => (start <= place && place < end ? [item] : []));
      expect(found.toSorted((a, b) => a - b)).toEqual(expected);
    }),
  );
});

test('as many places as ranges are looked up at once, also below one that holds them all', async () => {
  const count = 100_000;
  const each = Array.from({ length: count }, (_, item) => ({ start: item * 2, end: item * 2 + 1, item }));
  const ranges = new Ranges([{ start: 0, end: Infinity, item: -1 }, ...each, ...each]);
  const ms = await processorTime(async () => {
    for (let place = 0; place < count; place += 1) ranges.at(place);
  });
  expect(ms).toBeLessThan(2_000);
});
