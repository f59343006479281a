import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { parquetWriteBuffer } from 'hyparquet-writer';

import { call, failureOf } from '../commands/call.ts';
import { svc } from '../cli/svc.ts';

let root = '';
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'svc-keys-'))));
afterEach(() => rm(root, { recursive: true }));
const at = (name: string): string => join(root, name);

const record: unknown = JSON.parse('{"a": 1, "__proto__": {"polluted": true}}');
const nested: unknown = JSON.parse('{"a": {"b": [{"__proto__": 1}]}}');

describe('a key or column named __proto__', () => {
  it.each([
    ['FA_csv_write', { path: 'out', records: [record] }],
    ['FA_csv_write', { path: 'out', records: [{ a: 1 }], columns: ['a', '__proto__'] }],
    ['FA_jsonl_append', { path: 'out', record }],
    ['FA_jsonl_append', { path: 'out', record: nested }],
    ['FA_parquet_write', { path: 'out', records: [record] }],
    ['FA_parquet_write', { path: 'out', records: [nested], types: { a: 'json' } }],
    ['FA_parquet_write', { path: 'out', records: [{ a: 1 }], types: JSON.parse('{"__proto__": "text"}') as object }],
  ])('is written by no command: %s', async (name, { path, ...params }) => {
    const { facts } = await failureOf(call(name, { path: at(path), ...params }));
    expect(facts.name).toBe('DataOpsException');
    expect(await readdir(root)).toEqual([]);
  });

  it('is set in no file', async () => {
    await writeFile(at('a.json'), '{}');
    await writeFile(at('a.yaml'), 'b: 1\n');
    for (const value of [record, nested]) {
      expect((await failureOf(call('FA_json_set', { path: at('a.json'), key_path: 'c', value }))).facts.name).toBe(
        'JsonEditException',
      );
      expect((await failureOf(call('FA_yaml_set', { path: at('a.yaml'), key_path: 'c', value }))).facts.name).toBe(
        'DataOpsException',
      );
    }
  });

  it('is read by no command, however it is written', async () => {
    await writeFile(at('a.csv'), 'a,__proto__\n1,2\n');
    await writeFile(at('a.jsonl'), '{"a": 1}\n{"a": {"__proto__": 1}}\n');
    await writeFile(at('b.jsonl'), '{"_\\u005fproto_\\u005F": 1}\n');
    await writeFile(at('c.jsonl'), '{"__\\u0070roto__": 1}\n');
    await writeFile(at('a.json'), '{"a": {"__proto__": 1}}');
    await writeFile(at('a.yaml'), 'a: { __proto__: 1 }\n');
    await writeFile(
      at('a.parquet'),
      new Uint8Array(parquetWriteBuffer({ columnData: [{ name: '__proto__', data: ['x'] }] })),
    );
    const target = at('out');
    for (const [name, params] of [
      ['FA_csv_read', { path: at('a.csv') }],
      ['FA_csv_filter', { src: at('a.csv'), target }],
      ['FA_csv_to_jsonl', { src: at('a.csv'), target }],
      ['FA_csv_to_parquet', { csv_path: at('a.csv'), parquet_path: target }],
      ['FA_jsonl_iter', { path: at('a.jsonl') }],
      ['FA_jsonl_iter', { path: at('b.jsonl') }],
      ['FA_jsonl_iter', { path: at('c.jsonl') }],
      ['FA_json_get', { path: at('a.json'), key_path: 'a' }],
      ['FA_json_get', { path: at('a.json'), key_path: 'a.__proto__' }],
      ['FA_yaml_get', { path: at('a.yaml'), key_path: 'a' }],
      ['FA_parquet_read', { path: at('a.parquet') }],
    ] as const) {
      const { facts } = await failureOf(call(name, params));
      expect([name, facts.message]).toEqual([name, expect.stringContaining('__proto__')]);
    }
    expect((await readdir(root)).includes('out')).toBe(false);
  });

  it.each([
    ['rows.csv', '__proto__,a\n1,2\n'],
    ['rows.jsonl', '{"__proto__": 1}\n'],
    ['rows.json', '[{"__proto__": 1}]'],
  ])('is no column of a dataset: %s', async (name, text) => {
    await writeFile(at(name), text);
    await writeFile(
      at('a.yaml'),
      `meta: { dataset: ${name} }\nactions:\n  - [AT_set_variable, { name: x, value: 1 }]\n`,
    );
    const { stdout, stderr, exit } = await svc(root, ['run', 'a.yaml']);
    expect(exit).not.toBe(0);
    expect(stdout + stderr).toContain('no column may be named "__proto__"');
  });
});

it('keys of other members of objects are data', async () => {
  const records = [{ constructor: 'McLaren', toString: 'a', hasOwnProperty: 'b', prototype: 'c' }];
  await call('FA_csv_write', { path: at('a.csv'), records });
  expect(await call('FA_csv_read', { path: at('a.csv') })).toEqual(records);
  await call('FA_parquet_write', { path: at('a.parquet'), records });
  expect(await call('FA_parquet_read', { path: at('a.parquet') })).toEqual(records);
});
