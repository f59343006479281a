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
  expect(await processorTime(() => look(content))).toBeLessThan(8_000);
});

it.each(['?a', '? ', '&a', '${', '=a&'])('a mebibyte of %s in an address is looked at in seconds', async (piece) => {
  const url = `http://a/${piece.repeat(2 ** 20 / piece.length)}`;
  const content = JSON.stringify({ actions: [['AT_test_api_method', { http_method: 'get', test_url: url }]] });
  expect(await processorTime(() => look(content))).toBeLessThan(8_000);
});

function look(content: string): ReturnType<typeof lint> {
  return lint(
    [{ path: '/work/a.json', content }],
    { root: '/work', catalogue, lint: {} },
    memoryHost({ cwd: '/work' }),
  );
}
