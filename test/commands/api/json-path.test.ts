import { describe, expect, test } from 'vitest';

import type { Json } from '#schemas/types/json.ts';

import { failureOf, session } from '../call.ts';

/** Nodes that an expression selects, in order; none is no failure here. */
async function selected(expression: string, payload: Json): Promise<Json> {
  await using unit = await session();
  const check = (more: object): Promise<unknown> => unit.call('AT_check_jsonpath', { payload, expression, ...more });
  try {
    return (await check({})) as Json;
  } catch (error) {
    await check({ expected_count: 0 });
    if (error instanceof Error && error.message.includes('matches 0 values')) return [];
    throw error;
  }
}

const list = ['a', 'b', 'c', 'd', 'e'];
const object = { o: { j: 1, k: 2 }, a: [5, 3, { b: 'j' }, [4, 2]] };

/** Cases for each part of an expression, in the order of the sections of RFC 9535. */
describe('JSONPath as RFC 9535 has it', () => {
  test.each<[expression: string, payload: Json, nodes: Json]>([
    ['$', 7, [7]],
    ["$['o']", object, [{ j: 1, k: 2 }]],
    [String.raw`$['it\'s']["a\u0062"]`, { "it's": { ab: 1 } }, [1]],
    ['$["j j"]', { 'j j': 1, 'J J': 2 }, [1]],
    ['$.ü_1', { ü_1: 1 }, [1]],
    ['$.none', object, []],
    ['$.length', list, []],
    ['$.constructor', {}, []],
    ['$[*]', object.o, [1, 2]],
    ['$.o.*', object, [1, 2]],
    ['$[*]', 'text', []],
    ['$[0]', list, ['a']],
    ['$[-2]', list, ['d']],
    ['$[-6]', list, []],
    ['$[0]', { 0: 'zero' }, []],
    ['$[1:3]', list, ['b', 'c']],
    ['$[5:]', list, []],
    ['$[1:5:2]', list, ['b', 'd']],
    ['$[5:1:-2]', list, ['e', 'c']],
    ['$[4:1:-2]', list, ['e', 'c']],
    ['$[::-1]', list, ['e', 'd', 'c', 'b', 'a']],
    ['$[::0]', list, []],
    ['$[-2:]', list, ['d', 'e']],
    ['$[:]', { a: 1 }, []],
    ["$['j', 'k', 'j']", object.o, [1, 2, 1]],
    ['$[0, -1, 0:2]', list, ['a', 'e', 'a', 'b']],
    ['$..j', object, [1]],
    ['$..[0]', object, [5, 4]],
    ['$..[*]', { a: [1, { b: 2 }] }, [[1, { b: 2 }], 1, { b: 2 }, 2]],
    ['$ [ 0 ] .x', [{ x: 1 }], [1]],
  ])('%s of %j selects %j', async (expression, payload, nodes) => {
    expect(await selected(expression, payload)).toEqual(nodes);
  });

  test.each<[filter: string, nodes: Json]>([
    ['@.a', [{ a: null }, { a: 1, b: 1 }, { a: '1' }, { a: [] }, { a: { c: 1 } }]],
    ['!@.a', [{ b: 1 }]],
    ['@.a == null', [{ a: null }]],
    ['@.a == 1', [{ a: 1, b: 1 }]],
    ['@.a == 1.0', [{ a: 1, b: 1 }]],
    ['@.a == 10e-01', [{ a: 1, b: 1 }]],
    ['@.a > -0.5 && @["-01"] != "-01"', [{ a: 1, b: 1 }]],
    ['@.a == "1"', [{ a: '1' }]],
    ['@.a == @.b', [{ a: 1, b: 1 }]],
    ['@.none == @.nothing && @.b', [{ a: 1, b: 1 }, { b: 1 }]],
    ['@.a != 1 && @.b', [{ b: 1 }]],
    ['@.a <= 1', [{ a: 1, b: 1 }]],
    ['@.a < "2"', [{ a: '1' }]],
    ['@.a < true', []],
    ['@.b == 1 || @.a == null', [{ a: null }, { a: 1, b: 1 }, { b: 1 }]],
    ['@.a && @.b || @.a == null', [{ a: null }, { a: 1, b: 1 }]],
    ['!(@.a && @.b) && @.b', [{ b: 1 }]],
    ['@.a.c == $[1].b', [{ a: { c: 1 } }]],
    ['@[?@.c]', [{ a: { c: 1 } }]],
    ['length(@.a) == 1', [{ a: '1' }, { a: { c: 1 } }]],
    ['count(@.*) == 2', [{ a: 1, b: 1 }]],
    ['match(@.a, "[0-9]")', [{ a: '1' }]],
    ['search(@.a, "")', [{ a: '1' }]],
    ['value(@..c) == 1', [{ a: { c: 1 } }]],
    ['!(@.a == 1) && !@.b && @.a == "1"', [{ a: '1' }]],
    ['(@.a == 1) && (@.b == 1 || !(!@.c))', [{ a: 1, b: 1 }]],
    ['!@["a-b"] && @.a >= -1', [{ a: 1, b: 1 }]],
    ['!match(@.a, "!=(") && @.b == 1 && @.a == 1', [{ a: 1, b: 1 }]],
  ])('$[?%s] keeps %j', async (filter, nodes) => {
    const payload = [{ a: null }, { a: 1, b: 1 }, { a: '1' }, { a: [] }, { a: { c: 1 } }, { b: 1 }];
    expect(await selected(`$[?${filter}]`, payload)).toEqual(nodes);
  });

  test.each<[filter: string, text: string, fits: boolean]>([
    ['match(@, "a.c")', 'abc', true],
    ['match(@, "a.c")', 'xabc', false],
    ['search(@, "a.c")', 'xabc', true],
    ['match(@, "a.c")', 'a\nc', false],
    ['match(@, "a.c")', 'a😀c', true],
    ['length(@) == 1', '😀', true],
    ['length(@) == 4', 'a😀ü☺', true],
    [String.raw`match(@, "\\p{Lu}+")`, 'ÄÖ', true],
    ['match(@, "(")', '(', false],
  ])('$[?%s] keeps %j: %s', async (filter, text, fits) => {
    expect(await selected(`$[?${filter}]`, [text])).toEqual(fits ? [text] : []);
  });

  test.each([
    'a',
    ' $',
    '$ ',
    '$.',
    '$..',
    '$.1a',
    '$[?@.a == 1 == 2]',
    '$[?!1]',
    '$[?!true]',
    '$. a',
    '$.a b',
    '$[]',
    '$[01]',
    '$[-0]',
    '$[1.0]',
    '$[9007199254740992]',
    "$['a]",
    String.raw`$['\x']`,
    '$["\t"]',
    '$[0,]',
    '$[::1:1]',
    '$[?]',
    '$[?1]',
    '$[?@.a = 1]',
    '$[?@.a == @.*]',
    '$[?@.a == TRUE]',
    '$[?@.a === 1]',
    '$[?(@.a == 1]',
    '$[?length(@.*) == 1]',
    '$[?length(@.a)]',
    '$[?match(@.a, "a") == true]',
    '$[?count(1) == 1]',
    '$[?none(@)]',
    '$[?@.a == 01]',
    '$[?@.a == -01]',
    '$[?-00.5 < @.a]',
    '$[?@.a == {}]',
    '$.a-b',
    '$..a-b.c',
    '$[?@.a-b]',
    '$[?!@.a == 1]',
    '$[?@.b && !@.a < 1]',
    '$[?!!@.a]',
    '$[?(@.a) == 1]',
    '$[?1 == (@.a)]',
    '$[?((@.a)) == 1]',
  ])('%j is no expression', async (expression) => {
    await using unit = await session();
    const failure = await failureOf(unit.call('AT_check_jsonpath', { payload: [], expression }));
    expect(failure.facts.code).toBe('SVC83057');
  });
});
