import { expect, test } from 'vitest';

import { Masker } from '#runtime/kernel/records/masker.ts';
import { recordedError } from '#runtime/kernel/records/recorded-error.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { RecordedError } from '#schemas/types/record.ts';

test('what was there and what was wanted are cut to 8 KiB', () => {
  const failure = new Failure(
    { code: 'SVC80005', name: 'long', message: 'm', class: 'real', kinds: [] },
    { actual: 'a'.repeat(20_000), expected: 'e'.repeat(8000) },
  );
  const { actual, expected } = recordedError(failure, new Masker());
  expect(JSON.stringify(actual).length).toBeLessThanOrEqual(8192);
  expect(JSON.stringify(actual).length).toBeGreaterThan(7000);
  expect(expected).toBe('e'.repeat(8000));
});

test('causes are recorded eight deep, each masked, also where they lead back to themselves', () => {
  const masker = new Masker();
  masker.add('hidden-word');
  const names = (error: unknown): readonly string[] => {
    const found: string[] = [];
    for (let one: RecordedError | undefined = recordedError(error, masker); one; one = one.cause)
      found.push(one.message);
    return found;
  };
  let chain = new Error('last');
  for (let index = 12; index > 0; index -= 1) chain = new Error(`hidden-word ${index}`, { cause: chain });
  expect(names(chain)).toEqual(Array.from({ length: 9 }, (_, index) => `*** ${index + 1}`));
  const circle = new Error('round');
  circle.cause = circle;
  expect(names(circle)).toHaveLength(9);
});
