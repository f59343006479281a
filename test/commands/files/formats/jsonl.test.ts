import { execFileSync } from 'node:child_process';
import { appendFile, readFile, writeFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_jsonl_append, FA_jsonl_iter } from '#stdlib/files/formats/jsonl/jsonl.ts';

import { call, failureOf, openPlace, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';

let place: Place;
let path: string;
beforeEach(async () => {
  place = await openPlace();
  path = place.path('x.jsonl');
});
afterEach(() => place.close());

const put = (content: string | Uint8Array): Promise<void> => writeFile(path, content);
const read = (limit: number | null = null, encoding = 'utf-8'): Promise<unknown> =>
  call(FA_jsonl_iter, place, { path, limit, encoding });
const append = (record: Record<string, unknown>, encoding = 'utf-8'): Promise<unknown> =>
  call(FA_jsonl_append, place, { path, record, encoding });

describe('FA_jsonl_iter', () => {
  it('reads records in order, skips blank lines and a byte-order mark, and takes both line ends', async () => {
    await put('\ufeff{"a": 1}\r\n\n  \t\n{"a": "\u2028 ü 😀"}\n{"a": null}');
    expect(await read()).toEqual([{ a: 1 }, { a: '\u2028 ü 😀' }, { a: null }]);
    expect(await read(2)).toHaveLength(2);
    await put('');
    expect(await read()).toEqual([]);
  });

  it.skipIf(lacks('jq'))('reads what jq writes, in lines that lie across pieces', async () => {
    const program = '[range(0; 20000)] | map({id: ., text: ("x" * (1 + . % 300)), list: [., {deep: true}]}) | .[]';
    const lines = execFileSync('jq', ['-nc', program], { maxBuffer: 1 << 26 });
    await put(lines);
    const records = (await read()) as { id: number; text: string }[];
    expect(records).toHaveLength(20_000);
    expect(records.every(({ id, text }, index) => id === index && text.length === 1 + (index % 300))).toBe(true);
  });

  it.each([
    ['{"a": 1}\n\n{"a": }\n', 'SVC85074', '3'],
    ['[1]\n', 'SVC85074', '1'],
    ['{"a": 1} {"a": 2}\n', 'SVC85074', '1'],
    ['null', 'SVC85074', '1'],
    [`{"a": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'SVC85074', '1'],
    ['{"a": 1, "b": {"c": 1, "c": 2}}', 'SVC85075', '1'],
    ['{"a": 12345678901234567890}', 'SVC85066', '12345678901234567890'],
  ])('%.40s is refused with %s', async (content, code, said) => {
    await put(content);
    const failure = await failureOf(read());
    expect([failure.facts.code, failure.message]).toEqual([code, expect.stringContaining(said)]);
  });

  it('says where in the line something is wrong', async () => {
    await put('{"a": 1}\n\n{"a": [1 2]}\n');
    expect((await failureOf(read())).message).toMatch(
      /^Line 3, column 10 of ".*" is not a JSON object: A comma is missing before "2"\.$/,
    );
    await put(`{"a": ${'1,'.repeat(3)}\n`);
    expect((await failureOf(read())).facts.code).toBe('SVC85074');
  });

  it('does not read beyond the limit', async () => {
    await put('{"a": 1}\nbroken');
    expect(await read(1)).toEqual([{ a: 1 }]);
  });

  it('reads other encodings, and refuses bytes that do not fit, a folder and nothing', async () => {
    await put(Buffer.from('\ufeff{"a": "ü"}\n', 'utf16le'));
    expect(await read(null, 'utf-16')).toEqual([{ a: 'ü' }]);
    expect((await failureOf(read())).facts).toMatchObject({ code: 'SVC85073', name: 'DataOpsException' });
    path = place.root;
    expect((await failureOf(read())).facts.code).toBe('SVC85000');
    path = place.path('none');
    expect((await failureOf(read())).facts.code).toBe('SVC85000');
  });
});

describe('FA_jsonl_append', () => {
  it('makes the file with its folders, and writes one line for each record', async () => {
    path = place.path('new/x.jsonl');
    await append({ a: 'two\nlines', b: { c: [1] } });
    await append({ ü: '\ud800' });
    expect(await readFile(path, 'utf8')).toBe('{"a":"two\\nlines","b":{"c":[1]}}\n{"ü":"\\ud800"}\n');
    expect(await read()).toHaveLength(2);
  });

  it('begins with the first line behind a mark that stands alone', async () => {
    await put('\ufeff');
    await append({ a: 1 });
    expect(await readFile(path, 'utf8')).toBe('\ufeff{"a":1}\n');
  });

  it('begins a new line where the last one has no end', async () => {
    await put('{"a": 1}');
    await append({ a: 2 });
    await appendFile(path, '{"a"');
    await append({ a: 3 });
    expect(await readFile(path, 'utf8')).toBe('{"a": 1}\n{"a":2}\n{"a"\n{"a":3}\n');
  });

  it.each([
    ['utf-16', 'fffe7b007d000a00'],
    ['utf-8-sig', 'efbbbf7b7d0a'],
    ['utf-16-be', '007b007d000a'],
  ])('%s: a mark only at the start', async (encoding, once) => {
    await append({}, encoding);
    expect((await readFile(path)).toString('hex')).toBe(once);
    await append({}, encoding);
    expect(await read(null, encoding)).toEqual([{}, {}]);
    expect((await readFile(path)).length).toBe(
      once.length - Buffer.from(once, 'hex').indexOf(encoding === 'utf-16-be' ? 0 : 0x7b),
    );
  });

  it('keeps the order of bytes that the file has', async () => {
    await put(Buffer.from('feff007b007d', 'hex'));
    await append({}, 'utf-16');
    expect((await readFile(path)).toString('hex')).toBe('feff007b007d000a007b007d000a');
  });

  it('refuses what the encoding lacks and a folder, and changes nothing', async () => {
    await put('{}\n');
    expect((await failureOf(append({ a: '€' }, 'latin-1'))).facts.code).toBe('SVC85027');
    expect(await readFile(path, 'utf8')).toBe('{}\n');
    path = place.root;
    expect((await failureOf(append({}))).facts.code).toBe('SVC85009');
  });
});
