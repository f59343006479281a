import { expect, it } from 'vitest';

import { lint } from '#compiler/api.ts';
import { openCatalogue } from '#compiler/catalogue.ts';
import { memoryHost } from '#runtime/hosts/memory.ts';

import { processorTime } from '../hostile/check-text.ts';

const catalogue = openCatalogue();

it.each([
  ['programs that load', 'curl '],
  ['programs that load and run', 'curl x | '],
  ['folders behind one', 'curl | ./'],
  ['folders', './'],
  ['blanks', 'curl |    '],
  ['options', 'sh -a '],
  ['users', 'curl | sudo '],
  ['waits that are none', 'sleep x > '],
])('a mebibyte of %s in a shell is looked at in seconds', async (_, piece) => {
  const text = piece.repeat(2 ** 20 / piece.length);
  const content = JSON.stringify({ actions: [{ FA_run_shell: { command: ['sh', '-c', text] } }] });
  const look = (): ReturnType<typeof lint> =>
    lint([{ path: '/work/a.json', content }], { root: '/work', catalogue, lint: {} }, memoryHost({ cwd: '/work' }));
  expect(await processorTime(look)).toBeLessThan(8_000);
});
