import { expect, test } from 'vitest';

import { Coverage } from '#grammar/openapi/coverage.ts';
import { limitPercent, percent } from '#grammar/source/percent.ts';

test.each([
  [0.5, undefined, '50 %'],
  [0.99964, undefined, '100 %'],
  [1, 1, '100 %'],
  [0.99964, 1, '99.96 %'],
  [0.99996, 1, '99.996 %'],
  [0.333, 0.9, '33.3 %'],
  [0.07, 0.07, '7 %'],
  [0.00001, 0, '0.001 %'],
  [0.99995, 0.99996, '99.995 %'],
  [1 - 2 ** -53, 1, `${(1 - 2 ** -53) * 100} %`],
])('a share of %s beside %s is told as %s', (share, limit, text) => {
  expect(percent(share, 1, limit)).toBe(text);
});

test('limits are told as they were given', () => {
  expect([0.99996, 0.07, 0.1, 1, 0].map(limitPercent)).toEqual(['99.996 %', '7 %', '10 %', '100 %', '0 %']);
});

test('a document that is covered almost whole is told to be below its minimum, not to be covered', () => {
  const verbs = Object.fromEntries(
    Array.from({ length: 2500 }, (_, index) => [`/p${index}`, { get: { responses: {} } }]),
  );
  const coverage = new Coverage({ openapi: '3.1.0', paths: verbs });
  for (let index = 1; index < 2500; index++)
    coverage.add({ method: 'GET', path: `/p${index}`, status: 200, query: '' } as unknown as Parameters<
      Coverage['add']
    >[0]);
  expect(coverage.report({ operations: 1 }).failures).toEqual(['operations: 99.96 % is below the minimum of 100 %']);
});
