import { beforeAll, describe, it } from 'vitest';

import { built } from '../built.ts';
import { expectHeld, rowCases } from './row-case.ts';

const cases = rowCases().filter(({ name }) => name.includes(process.env['FILTER'] ?? ''));

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
