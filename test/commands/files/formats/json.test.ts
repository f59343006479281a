import { chmod, open, readFile, readdir, stat, writeFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_json_delete, FA_json_get, FA_json_set } from '#stdlib/files/formats/json/json.ts';

import { call, failureOf, openPlace, type Place } from '../call-here.ts';

type KeyPath = string | readonly (string | number)[];

let place: Place;
let path: string;
beforeEach(async () => {
  place = await openPlace();
  path = place.path('x.json');
});
afterEach(() => place.close());

const put = (text: string | Uint8Array): Promise<void> => writeFile(path, text);
const content = (): Promise<string> => readFile(path, 'utf8');
const get = (key_path: KeyPath, otherwise: unknown = null): Promise<unknown> =>
  call(FA_json_get, place, { path, key_path, default: otherwise });
const set = (key_path: KeyPath, value: unknown): Promise<unknown> =>
  call(FA_json_set, place, { path, key_path, value });
const remove = (key_path: KeyPath): Promise<unknown> => call(FA_json_delete, place, { path, key_path });

describe('FA_json_get', () => {
  beforeEach(() =>
    put('{"a": {"b": [10, {"c": null}], "b[9]": "own", "": 1, "--1": 2, "x.y": 3, "0": "zero"}, "__proto__": 4}'),
  );

  it.each([
    ['a.b.0', 10],
    ['a.b.-1.c', null],
    ['a..b.0', 10],
    ['a.b.2', 'none'],
    ['a.b.-3', 'none'],
    ['a.--1', 2],
    ['a.b.--1', 'none'],
    ['a.0', 'zero'],
    ['a.x.y', 'none'],
    ['toString', 'none'],
    ['__proto__', 4],
    ['a.b.length', 'none'],
    ['a.b[0]', 10],
    ['a.b[-1].c', null],
    ['a.b[1][0]', 'none'],
    ['a.b[9]', 'own'],
    ['a.x[0]', 'none'],
  ])('%s is %j', async (key_path, expected) => {
    expect(await get(key_path, 'none')).toEqual(expected);
  });

  it('takes a list of keys and indexes', async () => {
    expect(await get(['a', 'x.y'])).toBe(3);
    expect(await get(['a', ''])).toBe(1);
    expect(await get(['a', 'b', 0])).toBe(10);
    expect(await get(['a', 'b', -1])).toEqual({ c: null });
  });

  it('yields the whole document for an empty path', async () => {
    expect(Object.keys((await get('')) as object)).toEqual(['a', '__proto__']);
    expect(await get([])).toEqual(await get('.'));
  });

  it('yields ordinary numbers, and refuses those that would not stay the same', async () => {
    await put('{"ok": [1.50, 1e3, -0, 9007199254740991], "id": 12345678901234567890, "pi": 3.14159265358979323846}');
    expect(await get('ok')).toEqual([1.5, 1000, -0, 9007199254740991]);
    for (const key of ['id', 'pi', '']) expect((await failureOf(get(key))).facts.code).toBe('SVC85066');
  });

  it.each([
    ['a byte-order mark is fine', '\ufeff{"a": 1}', undefined],
    ['no JSON', '{a: 1}', 'SVC85060'],
    ['an empty file', '', 'SVC85060'],
    ['a key that stands twice', '{"a": 1, "b": {"c": 1, "c": 2}}', 'SVC85067'],
    ['no JSON in the next line', '{\n"a": [1,]}', 'SVC85060'],
    ['nesting without end', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'SVC85068'],
  ])('%s', async (_what, text, code) => {
    await put(text);
    if (code === undefined) expect(await get('a')).toBe(1);
    else expect((await failureOf(get('a'))).facts).toMatchObject({ code, name: 'JsonEditException' });
  });

  it('says where something is wrong', async () => {
    await put('{\n  "a": 1,\n  "b": [1 2]\n}');
    expect((await failureOf(get('a'))).message).toBe(
      `Line 3, column 11 of "${path}" is not JSON: A comma is missing before "2".`,
    );
    await put('{"a": 1, "b": {"c": 1,\n"\\u0063": 2}}');
    expect((await failureOf(get('a'))).message).toBe(
      `"${path}" has the key "c" twice in an object, the second time in line 2.`,
    );
    await put(`{"a": [${'1e999,'.repeat(1500)}0], "b": 1, "b": 2}`);
    expect((await failureOf(get('b'))).facts.code).toBe('SVC85067');
  });

  it('finds every number that would change, also where there are very many', async () => {
    await put(`[${'12345678901234567890,'.repeat(1500)}1, 1e999]`);
    expect(await get('1500')).toBe(1);
    for (const key of ['1499', '1501', '']) expect((await failureOf(get(key))).facts.code).toBe('SVC85066');
  });

  it('refuses a file that is too large for the memory before it reads it', async () => {
    const file = await open(path, 'w');
    await file.truncate(256 * 1024 * 1024 + 1);
    await file.close();
    expect((await failureOf(get(''))).facts.code).toBe('SVC85097');
    await put(Buffer.concat([Buffer.from('['), Buffer.alloc(3 * 2 ** 23, '{},'), Buffer.alloc(2 ** 24, ',')]));
    expect((await failureOf(get(''))).message).toMatch(
      / values, and at most 16777216 are read as one JSON document\.$/,
    );
  });

  it('refuses bytes that are not UTF-8, a missing file and a folder', async () => {
    await put(new Uint8Array([0x22, 0xe4, 0x22]));
    expect((await failureOf(get(''))).facts.code).toBe('SVC85060');
    path = place.root;
    expect((await failureOf(get(''))).facts.code).toBe('SVC85061');
    path = place.path('none.json');
    expect((await failureOf(get(''))).facts.code).toBe('SVC85061');
  });
});

describe('FA_json_set', () => {
  it.each([
    ['{}', 'a.b.c', 1, { a: { b: { c: 1 } } }],
    ['{"a": 5}', 'a.b', 1, { a: { b: 1 } }],
    ['{"a": null}', 'a.b', 1, { a: { b: 1 } }],
    ['5', 'a', 1, { a: 1 }],
    ['{"l": [1, 2]}', 'l.2', 3, { l: [1, 2, 3] }],
    ['{"l": [1, 2]}', 'l.-1', 3, { l: [1, 3] }],
    ['{"l": [[1], 2]}', 'l[0][1]', 3, { l: [[1, 3], 2] }],
    ['[{"a": 1}]', '[0].a', 3, [{ a: 3 }]],
    ['{"l": []}', 'l.0.x', 3, { l: [{ x: 3 }] }],
    ['[[1]]', '0.0', { deep: [true] }, [[{ deep: [true] }]]],
    ['{"o": {}}', 'o.0', 'key', { o: { 0: 'key' } }],
  ])('%s: %s', async (before, key_path, value, after) => {
    await put(before);
    expect(await set(key_path, value)).toBe(true);
    expect(JSON.parse(await content())).toEqual(after);
  });

  it('keeps numbers and letters as they were written, and indents by two', async () => {
    await put('{"id": 12345678901234567890, "price": 1.50, "big": 1E400, "name": "Grüße \\u00e4", "n": 1}');
    await set('n', 2);
    expect(await content()).toBe(
      '{\n  "id": 12345678901234567890,\n  "price": 1.50,\n  "big": 1E400,\n  "name": "Grüße ä",\n  "n": 2\n}\n',
    );
  });

  it('keeps the order of keys, also of those that are numbers', async () => {
    await put('{"b":1,"404":"x","200":{"9":[],"1":{ }},"__proto__":2,"a":"\\ud83d \\u2028/"}');
    await set('200.9', [{ 7: 1 }]);
    await set('-1', null);
    expect(await content()).toBe(
      '{\n  "b": 1,\n  "404": "x",\n  "200": {\n    "9": [\n      {\n        "7": 1\n      }\n    ],\n    "1": {}\n  },\n  "__proto__": 2,\n  "a": "\\ud83d \u2028/",\n  "-1": null\n}\n',
    );
    await remove('404');
    expect([...(await content()).matchAll(/"(\w+)":/g)].map(([, key]) => key)).toEqual([
      'b',
      '200',
      '9',
      '7',
      '1',
      '__proto__',
      'a',
    ]);
  });

  it('takes any value that JSON can say', async () => {
    const value = { text: 'half \ud800', quotes: '"\\', '': [[], {}, null, -0.5, 1e21], ['__proto__']: { 1: true } };
    await put('{"a": [1, 2]}');
    await set('a.1', value);
    expect(await get('a.1')).toEqual(value);
  });

  it('writes nothing that it could not read again', async () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 999; depth += 1) value = [value];
    await put('{}');
    await set('a', value);
    expect(await get('a.0.0')).toBeDefined();
    for (const key of ['b.c', Array.from({ length: 1001 }, () => 'k')])
      expect((await failureOf(set(key, value))).facts.code).toBe('SVC85068');
  });

  it('keeps permission bits and leaves nothing beside the file', async () => {
    await put('{}');
    await chmod(path, 0o664);
    await set('a', 1);
    expect((await stat(path)).mode & 0o777).toBe(0o664);
    expect(await readdir(place.root)).toEqual(['x.json']);
  });

  it.each([
    ['{"l": [1]}', 'l.2', 'SVC85064'],
    ['{"l": [1]}', 'l.-2', 'SVC85064'],
    ['{"l": [1]}', 'l.9.x', 'SVC85064'],
    ['{"l": [1]}', 'l.x', 'SVC85065'],
    ['{}', '', 'SVC85062'],
    ['{}', '...', 'SVC85062'],
    ['{}', 'a.__proto__.b', 'SVC85063'],
    ['{}', 'constructor', 'SVC85063'],
    ['{', 'a', 'SVC85060'],
  ])('%s: %s is refused and changes nothing', async (before, key_path, code) => {
    await put(before);
    expect((await failureOf(set(key_path, 1))).facts).toMatchObject({ code, name: 'JsonEditException' });
    expect(await content()).toBe(before);
    expect(Object.hasOwn(Object.prototype, 'b')).toBe(false);
  });
});

describe('FA_json_delete', () => {
  it.each([
    ['{"a": {"b": 1, "c": 2}}', 'a.b', { a: { c: 2 } }],
    ['[1, 2, 3]', '0', [2, 3]],
    ['[1, 2, 3]', '-1', [1, 2]],
    ['{"__proto__": 1, "a": 2}', '__proto__', { a: 2 }],
  ])('%s: %s', async (before, key_path, after) => {
    await put(before);
    expect(await remove(key_path)).toBe(true);
    expect(JSON.parse(await content())).toEqual(after);
  });

  it.each(['b', 'a.b', 'a.0', 'l.5', 'l.-3', 'l.x'])('%s: nothing there, nothing written', async (key_path) => {
    await put('{ "a": 1, "l": [1, 2] }');
    expect(await remove(key_path)).toBe(false);
    expect(await content()).toBe('{ "a": 1, "l": [1, 2] }');
  });

  it('refuses an empty path', async () => {
    await put('{}');
    expect((await failureOf(remove([]))).facts.code).toBe('SVC85062');
  });
});
