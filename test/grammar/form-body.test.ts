import { expect, test } from 'vitest';

import { formBody, withLists } from '#grammar/import/form-body.ts';
import { queryParams } from '#grammar/openapi/query-pairs.ts';

test('fields and parameters named like members of every object are fields like others', () => {
  expect(
    withLists([
      ['constructor', 'a'],
      ['toString', 'b'],
      ['toString', 'c'],
    ]),
  ).toEqual({
    constructor: 'a',
    toString: ['b', 'c'],
  });
  expect(Object.entries(withLists([['__proto__', 'a']]))).toEqual([['__proto__', 'a']]);
  expect(queryParams([], { constructor: 'a' })).toEqual({ constructor: 'a' });
});

test('names of fields and files stay between their quotation marks', () => {
  const { params } = formBody([{ name: 'a"b', value: 'x', filename: 'c"\r\nd' }]);
  expect(params['data']).toContain('form-data; name="a%22b"; filename="c%22%0D%0Ad"\r\n');
});

test('a form with a file keeps media types and names, and several parts of one name', () => {
  const { params, type } = formBody([
    { name: 'a', value: '1' },
    { name: 'f', file: 'x.png' },
    { name: 'f', file: 'y.png', type: 'image/png', filename: 'z.png' },
    { name: 'm', value: '{}', type: 'application/json' },
    { name: 't', file: 't.txt', filename: null },
    { name: 'n', value: 'b', filename: 'n.txt' },
  ]);
  expect(type).toBeUndefined();
  expect(params).toEqual({
    files: {
      f: ['x.png', { path: 'y.png', type: 'image/png', name: 'z.png' }],
      m: { text: '{}', type: 'application/json' },
      t: { path: 't.txt', name: null },
      n: { text: 'b', name: 'n.txt' },
    },
    data: { a: '1' },
  });
});
