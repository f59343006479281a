import { beforeAll, describe, expect, it } from 'vitest';

import { built } from '../built.ts';
import { expectHeld, rowCases } from './row-case.ts';
import { sampled } from './sampled.ts';

const all = rowCases().filter(({ name }) => name.includes(process.env['FILTER'] ?? ''));
const cases = sampled(all, 0.35, ({ name }) => name);

beforeAll(() => built(), 300_000);

describe.runIf(process.platform === 'linux')(
  'attacks by row, in a process under limits whose system calls are noted',
  () => {
    it.each(cases.map((example) => [`${example.row}: ${example.about}`, example] as const))(
      '%s',
      async (_, example) => {
        await expectHeld(example);
      },
      300_000,
    );
  },
);

it('every row of the table has a case', () => {
  expect([...new Set(rowCases().map(({ row }) => row))].toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 18 }, (_one, index) => index + 1),
  );
});
