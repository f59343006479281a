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
