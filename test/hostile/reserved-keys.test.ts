import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { call } from '../commands/call.ts';

let root = '';
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'svc-keys-'))));
afterEach(() => rm(root, { recursive: true }));
const at = (name: string): string => join(root, name);

const records = JSON.parse(
  '[{"a": "1", "__proto__": "x", "constructor": "y", "toString": "z"}, {"a": "2", "__proto__": "v", "constructor": "w", "toString": ""}]',
) as readonly Readonly<Record<string, string>>[];

it('columns named like members of every object are data for all commands alike, whoever wrote them', async () => {
  await call('FA_csv_write', { path: at('a.csv'), records });
  expect(JSON.stringify(await call('FA_csv_read', { path: at('a.csv') }))).toBe(JSON.stringify(records));
  await call('FA_csv_to_jsonl', { src: at('a.csv'), target: at('a.jsonl') });
  expect(JSON.stringify(await call('FA_jsonl_iter', { path: at('a.jsonl') }))).toBe(JSON.stringify(records));
  await call('FA_csv_to_parquet', { csv_path: at('a.csv'), parquet_path: at('a.parquet') });
  expect(JSON.stringify(await call('FA_parquet_read', { path: at('a.parquet') }))).toBe(JSON.stringify(records));
  expect(await call('FA_parquet_read', { path: at('a.parquet'), columns: ['a'] })).toEqual([{ a: '1' }, { a: '2' }]);
  const some = (await call('FA_parquet_read', { path: at('a.parquet'), columns: ['__proto__'] })) as object[];
  expect(JSON.stringify(some)).toBe('[{"__proto__":"x"},{"__proto__":"v"}]');
  await call('FA_jsonl_append', { path: at('b.jsonl'), record: records[0] });
  expect(JSON.stringify(await call('FA_jsonl_iter', { path: at('b.jsonl') }))).toBe(
    JSON.stringify(records.slice(0, 1)),
  );
});

it('also where they are nested, and no object changes by them', async () => {
  const nested = JSON.parse('[{"a": {"__proto__": {"polluted": true}, "b": [{"__proto__": 1}]}}]') as unknown;
  await call('FA_parquet_write', { path: at('n.parquet'), records: nested });
  expect(JSON.stringify(await call('FA_parquet_read', { path: at('n.parquet') }))).toBe(JSON.stringify(nested));
  expect(({} as Readonly<Record<string, unknown>>)['polluted']).toBeUndefined();
});
