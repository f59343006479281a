import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { catalogue } from '#compiler/catalogue.ts';
import { registry } from '#schemas/generated/registry.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { svc } from '../../cli/svc.ts';
import { session } from '../call.ts';

let root = '';
const at = (...names: readonly string[]): string => join(root, ...names);
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'svc-preview-')));
  await mkdir(at('tree', 'deep'), { recursive: true });
  await writeFile(at('tree', 'a'), 'a');
  await writeFile(at('tree', 'deep', 'b'), 'b');
});
afterEach(() => rm(root, { recursive: true }));

type Would = Readonly<Record<string, { readonly count: number; readonly first: readonly string[] }>>;

/** Changes of one action as a dry run tells them; nothing may have changed then. */
async function would(command: string, params: JsonObject): Promise<Would> {
  await writeFile(at('one.json'), JSON.stringify([[command, params]]));
  const before = (await readdir(root, { recursive: true })).sort();
  const { exit, stderr } = await svc(root, ['run', 'one.json', '--dry-run', '--record', 'r.jsonl']);
  expect(exit, stderr).toBe(0);
  const [record] = (await readFile(at('r.jsonl'), 'utf8')).split('\n');
  await rm(at('r.jsonl'));
  await rm(at('.svc'), { recursive: true, force: true });
  expect((await readdir(root, { recursive: true })).sort()).toEqual(before);
  return ((JSON.parse(record ?? '') as RunRecord).result as { would: Would }).would;
}

it('stands behind each declaration with `preview`, and there alone', async () => {
  await catalogue.prepare(catalogue.allNames);
  const declared: string[] = [];
  const made: string[] = [];
  for (const { name, preview, implemented } of await catalogue.all()) {
    if (preview) declared.push(name);
    if (implemented && name.startsWith('FA_') && (await registry[name]?.load())?.preview) made.push(name);
  }
  expect(made).toEqual(declared);
  expect(declared).toHaveLength(22);
});

it('removing a tree names all of it', async () => {
  expect(await would('FA_remove_dir_tree', { dir_path: 'tree' })).toEqual({
    delete: { count: 4, first: ['tree', join('tree', 'a'), join('tree', 'deep'), join('tree', 'deep', 'b')] },
  });
  expect(await would('FA_remove_dir_tree', { dir_path: 'none' })).toEqual({ delete: { count: 0, first: [] } });
});

it('the first hundred names and a count', async () => {
  await mkdir(at('many'));
  for (let index = 0; index < 120; index++) await writeFile(at('many', `${index}`), '');
  const { delete: told } = await would('FA_remove_dir_tree', { dir_path: 'many' });
  expect([told?.count, told?.first.length]).toEqual([121, 100]);
  await writeFile(at('one.json'), JSON.stringify([['FA_remove_dir_tree', { dir_path: 'many' }]]));
  const { stdout } = await svc(root, ['run', 'one.json', '--dry-run']);
  expect(stdout).toContain('would delete 121:\n        many\n');
  expect(stdout).toContain('… and 21 more');
});

it('synchronizing and rotating say what their own dry_run says, and what the run then does', async () => {
  await mkdir(at('copy'));
  await writeFile(at('copy', 'old'), 'old');
  const params = { src: at('tree'), dst: at('copy'), delete: true, max_delete: 5 };
  expect(await would('FA_sync_dir', params)).toMatchObject({
    copy: { first: ['a', 'deep/b'] },
    delete: { first: ['old'] },
    'make folder': { first: ['deep'] },
  });
  await using unit = await session({ root });
  expect(await unit.call('FA_sync_dir', params)).toMatchObject({ copied: ['a', 'deep/b'], deleted: ['old'] });
  await mkdir(at('backups'));
  for (let day = 1; day <= 4; day++) {
    await writeFile(at('backups', `b${day}`), '');
    await utimes(at('backups', `b${day}`), day * 86_400, day * 86_400);
  }
  const rotate = { directory: at('backups'), keep_daily: 2, keep_weekly: 0, keep_monthly: 0, keep_yearly: 0 };
  const told = (await would('FA_rotate_backups', rotate))['delete']?.first;
  expect(told).toHaveLength(2);
  expect(await unit.call('FA_rotate_backups', rotate)).toMatchObject({ deleted: told });
});

it('unpacking names what it would write; emptying a can what lies in it', async () => {
  await using unit = await session({ root });
  await unit.call('FA_create_tar', { source: at('tree'), target: at('t.tgz') });
  await unit.call('FA_zip_dir', { dir_we_want_to_zip: at('tree'), zip_name: at('z') });
  const target = at('out');
  for (const [command, params] of [
    ['FA_extract_tar', { source: at('t.tgz'), target_dir: target }],
    ['FA_archive_extract', { source: at('t.tgz'), target }],
    ['FA_archive_extract', { source: at('z.zip'), target }],
    ['FA_unzip_all', { zip_file_path: at('z.zip'), extract_path: target }],
  ] as const) {
    const told = (await would(command, params))['write']?.first ?? [];
    expect(
      told.some((name) => name.startsWith(target) && name.endsWith(join('deep', 'b'))),
      command,
    ).toBe(true);
    await unit.call(command, params);
    for (const name of told) expect(await readdir(join(name, '..')), name).not.toEqual([]);
    await rm(target, { recursive: true });
  }
  await unit.call('FA_trash_send', { path: at('tree', 'a'), trash_dir: at('can') });
  expect((await would('FA_trash_empty', { trash_dir: at('can') }))['delete']).toMatchObject({ count: 1 });
});

it('copies, numbered names and applied comparisons name each file as the run then leaves it', async () => {
  await using unit = await session({ root });
  await mkdir(at('there'));
  const written = [at('out', 'a'), at('out', 'deep'), at('out', 'deep', 'b')];
  const copies = [
    ['FA_copy_dir', { dir_path: at('tree'), target_dir_path: at('out') }, written],
    ['FA_copy_all_file_to_dir', { source_dir: at('tree'), target_dir: at('there') }, undefined],
    [
      'FA_copy_specify_extension_file',
      { file_dir_path: at('pictures'), target_extension: 'png', target_path: at('flat') },
      [at('flat', 'one.png'), at('flat', 'two.png')],
    ],
  ] as const;
  await mkdir(at('pictures', 'old'), { recursive: true });
  for (const name of ['one.png', join('old', 'two.png'), 'three.txt']) await writeFile(at('pictures', name), name);
  for (const [command, params, expected] of copies) {
    const told = ((await would(command, params))['copy']?.first ?? []).toSorted();
    expect(told, command).toEqual(expected ?? written.map((path) => path.replace(at('out'), at('there'))));
    await unit.call(command, params);
    for (const path of told) expect((await stat(path)).isFile() || path.endsWith('deep'), path).toBe(true);
  }

  const rename = { origin_file_path: at('pictures'), target_name: 'p', file_extension: 'png' };
  const named = (await would('FA_rename_file', rename))['rename'];
  expect(named?.first).toContain(`${at('pictures', 'one.png')} -> ${at('pictures', 'p_1.png')}`);
  expect(named?.count).toBe(2);
  await unit.call('FA_rename_file', rename);
  expect((await readdir(at('pictures'))).sort()).toEqual(['old', 'p_1.png', 'three.txt']);

  const diff = { added: ['new'], removed: ['a'], changed: [join('deep', 'b')] };
  await writeFile(at('tree', 'new'), 'new');
  const applied = { diff, target: at('out'), source: at('tree') };
  expect(await would('FA_apply_dir_diff', applied)).toEqual({
    delete: { count: 1, first: ['a'] },
    write: { count: 2, first: ['new', join('deep', 'b')] },
  });
  await unit.call('FA_apply_dir_diff', applied);
  expect((await readdir(at('out'))).sort()).toEqual(['deep', 'new']);
});

it('throwing away names what goes into the can, which need not be there yet', async () => {
  expect(await would('FA_trash_send', { path: at('tree'), trash_dir: at('can') })).toEqual({
    'throw away': { count: 4, first: [at('tree'), at('tree', 'a'), at('tree', 'deep'), at('tree', 'deep', 'b')] },
  });
  expect(await would('FA_trash_send', { path: at('tree', 'a'), trash_dir: at('tree', 'a', 'can') })).toEqual({
    unknown: expect.any(String),
  });
});

it('what an earlier step would make is not known yet', async () => {
  expect(await would('FA_sync_dir', { src: at('none'), dst: at('copy') })).toEqual({
    unknown: expect.stringContaining('none'),
  });
});
