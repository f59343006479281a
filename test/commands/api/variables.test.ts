import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { lookUp, namesOf } from '#stdlib/api/look-up.ts';
import { PathError, readPath } from '#stdlib/api/read-path.ts';
import { pathText } from '#runtime/kernel/values/path.ts';

import { call, failureOf, session } from '../call.ts';

async function render(payload: unknown, store: Record<string, unknown>, strict = false): Promise<unknown> {
  return await call('AT_render_template', { payload, store, strict });
}

describe('variables', () => {
  test('are stored, replaced, read and cleared; null is a value', async () => {
    await using unit = await session();
    await unit.call('AT_set_variable', { name: 'user', value: { name: 'Ada' } });
    expect(await unit.call('AT_get_variable', { name: 'user' })).toEqual({ name: 'Ada' });
    await unit.call('AT_set_variable', { name: 'user', value: null });
    expect(await unit.call('AT_get_variable', { name: 'user', default: 'nobody' })).toBeNull();
    await unit.call('AT_clear_variables');
    expect(await unit.call('AT_get_variable', { name: 'user', default: 'nobody' })).toBe('nobody');
    expect((await failureOf(unit.call('AT_set_variable', { name: 'last_response', value: 1 }))).facts.code).toBe(
      'SVC80025',
    );
  });

  test('have a store of their own in every file', async () => {
    await using one = await session();
    await using other = await session();
    await one.call('AT_set_variable', { name: 'a', value: 1 });
    expect(await other.call('AT_get_variable', { name: 'a' })).toBeNull();
  });
});

describe('AT_extract_and_store', () => {
  const response = { data: { items: [[{ id: 7 }]], 'first.name': 'Ada' }, headers: { 'content-type': 'text/plain' } };
  test.each([
    ['data.items[0][0].id', 7],
    ['["data"]["first.name"]', 'Ada'],
    ["data['first.name']", 'Ada'],
    ['headers.Content-Type', 'text/plain'],
    ['', response],
    ['data.items', [[{ id: 7 }]]],
  ])('%j yields %j', async (path, value) => {
    await using unit = await session();
    expect(await unit.call('AT_extract_and_store', { response, path, name: 'x' })).toEqual(value);
    expect(await unit.call('AT_get_variable', { name: 'x' })).toEqual(value);
  });

  test.each([
    ['data.items[1].id', 'There is no "1" in response.data.items.', 'There is: [0].'],
    ['data.nothing.id', 'There is no "nothing" in response.data.', 'There is: items, first.name.'],
    [
      '$.data.items',
      'There is no "$" in response.',
      'There is: data, headers; a path begins with one of these, without "$".',
    ],
    ['data.items[0][0].id.x', 'There is no "x" in response.data.items[0][0].id.', undefined],
  ])('%j names the first piece that is missing', async (path, message, help) => {
    await using unit = await session();
    const error = await failureOf(unit.call('AT_extract_and_store', { response, path, name: 'x' }));
    expect([error.message, error.facts.help]).toEqual([message, help]);
    expect(await unit.call('AT_get_variable', { name: 'x', default: 'not stored' })).toBe('not stored');
  });

  test.each([
    ['data[', '['],
    ['.data', '.data'],
    ['a..b', '..b'],
    ['a[x]', '[x]'],
    ['a]', ']'],
    ['a.', '.'],
  ])('%j cannot be read from %j on', async (path, rest) => {
    const error = await failureOf(call('AT_extract_and_store', { response, path, name: 'x' }));
    expect(error.message).toBe(`The path "${path}" cannot be read from "${rest}" on.`);
  });

  test('paths as the kernel prints them are read back', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.nat(),
            fc.string({ minLength: 1 }).filter((key) => !/[\r\n\u2028\u2029]/.test(key)),
          ),
          { minLength: 1 },
        ),
        (route) => {
          const text = pathText('', route);
          const read = readPath(text);
          expect(read).not.toBeInstanceOf(PathError);
          expect(read).toEqual(
            route.map((piece) =>
              typeof piece === 'string' && !/^[A-Za-z_][\w-]*$/.test(piece) ? unescaped(piece) : piece,
            ),
          );
        },
      ),
    );
  });
});

/** A key that was printed as JSON, as it is read back: `\n` and the like stay as their letters. */
function unescaped(piece: string): string {
  return JSON.stringify(piece).slice(1, -1).replace(/\\(.)/gs, '$1');
}

describe('AT_render_template', () => {
  test.each([
    ['{{ n }}', { n: 7 }, 7],
    ['n={{n}} t={{t}} o={{o}} z={{z}}.', { n: 7, t: true, o: { a: [1] }, z: null }, 'n=7 t=true o={"a":[1]} z=.'],
    ['{{user.tags[0]["x y"]}}', { user: { tags: [{ 'x y': 'deep' }] } }, 'deep'],
    ['{{user.mail}}', { user: { mail: 'path' }, 'user.mail': 'whole name' }, 'whole name'],
    ['{{a.b.c}}', { 'a.b': { c: 1 }, a: { b: { c: 2 } } }, 1],
    ['{{items[0]}}', { 'items[0]': 'named', items: ['path'] }, 'named'],
    ['{{missing}}|{{missing.x}}', {}, '|'],
    ['{{missing:-none}} {{missing:- a b }}', {}, 'none a b'],
    ['\\{{n}} {{n}}', { n: 1 }, '{{n}} 1'],
    ['{{a}}', { a: '{{b}}', b: 'never' }, '{{b}}'],
    ['{{#if x}} {{}} {{ }} {{a b}}', {}, '{{#if x}} {{}} {{ }} {{a b}}'],
    ['${uuid} {{n}}', { n: 1 }, '${uuid} 1'],
    [{ '{{n}}': ['{{n}}', { deep: 'x{{n}}' }, 5, null] }, { n: 1 }, { '{{n}}': [1, { deep: 'x1' }, 5, null] }],
  ])('%j with %j gives %j', async (payload, store, expected) => {
    expect(await render(payload, store)).toEqual(expected);
  });

  test('strict refuses what is not defined, and says what is', async () => {
    const error = await failureOf(render('{{user.mial}}', { user: { mail: 1 } }, true));
    expect([error.message, error.facts.help]).toEqual([
      'The template uses "user.mial", which is not defined.',
      'Defined are: user.',
    ]);
    expect(await render('{{z}}', { z: null }, true)).toBeNull();
  });

  test('without a store the variables of the unit are used', async () => {
    await using unit = await session({ variables: { name: 'Ada' } });
    expect(await unit.call('AT_render_template', { payload: 'Hi {{name}}' })).toBe('Hi Ada');
  });

  test('names of the prototype are not variables', () => {
    expect(lookUp('constructor', namesOf({}))).toBeUndefined();
    expect(lookUp('a.constructor', namesOf({ a: {} }))).toBeUndefined();
    expect(lookUp('__proto__.x', namesOf({}))).toBeUndefined();
  });

  test('filling takes time in proportion to the text, whatever it holds', async () => {
    const begun = performance.now();
    for (const text of [
      '{{'.repeat(100_000),
      `{{a${'['.repeat(100_000)}`,
      `{{a:-${' '.repeat(100_000)}`,
      `{{${' '.repeat(100_000)}`,
      `{{a${'.b'.repeat(50_000)}}}`,
    ])
      await render(text, {});
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});
