import { expect, test } from 'vitest';

import { namedFunctions } from '../../.ci/build/function-names.ts';

test('functions are named by what is around them, what they are assigned to, or their number', () => {
  const module = `
function outer2() { const inner = () => [1].map(x => x).filter((y) => y); return inner }
const table = { method() {}, 'a key': () => {}, get got() { return 1 } };
class Some { #hidden() {} field = () => {} }
module.exports.all = function own() {};
[].map(() => () => {});
`;
  const names = namedFunctions(module).map(({ name, start }) => [name, module.slice(start, start + 4)]);
  expect(names).toEqual([
    ['outer', 'func'],
    ['outer/inner', '() ='],
    ['outer/inner/0', 'x =>'],
    ['outer/inner/1', '(y) '],
    ['method', 'meth'],
    ['a key', '() ='],
    ['got', 'get '],
    ['hidden', '#hid'],
    ['field', '() ='],
    ['own', 'func'],
    ['0', '() ='],
    ['0/0', '() ='],
  ]);
});
