import { lstat, mkdir, mkdtemp, readFile, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { failureOf, session, type Session } from '../../call.ts';
import { services, type Service } from './services.ts';

const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

describe.each(Object.entries(services))('%s', (name, { lacks = () => false, start }) => {
  let service: Service;
  let unit: Session;
  let folder = '';
  const cannot = lacks();
  beforeAll(async () => {
    if (cannot) return;
    folder = await mkdtemp(join(tmpdir(), 'svc-address-'));
    service = await start(folder);
    unit = await session({ root: folder, settings: { gates: { private: true } } });
    if (service.login) await unit.call(...service.login);
  });
  afterAll(async () => {
    if (cannot) return;
    await unit.end();
    await service.server?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  const here = (name: string): string => join(folder, name);
  /** Files of this machine, written an hour ago. */
  const make = async (root: string, files: Readonly<Record<string, string>>): Promise<string> => {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(here(root), name, '..'), { recursive: true });
      await writeFile(join(here(root), name), text);
      await utimes(join(here(root), name), new Date(Date.now() - 3_600_000), new Date(Date.now() - 3_600_000));
    }
    return here(root);
  };

  test.skipIf(cannot)('is listed, sent to, fetched from and copied within by its address', async () => {
    const url = `${service.top}fs`;
    await make('one', { 'a b.txt': 'hello', 'deep/c.txt': 'see' });
    expect(await unit.call('FA_fs_exists', { url: `${url}/a b.txt` })).toBe(false);
    const sent = (await unit.call('FA_fs_upload_dir', {
      dir_path: here('one'),
      url,
    })) as string[];
    expect(sent.toSorted()).toEqual([`${url}/a b.txt`, `${url}/deep/c.txt`]);
    await writeFile(join(here('one'), 'deep', 'later.txt'), 'new');
    const again = { dir_path: here('one'), url, resume: true };
    expect(await unit.call('FA_fs_upload_dir', { ...again, dry_run: true })).toEqual([`${url}/deep/later.txt`]);
    expect(await unit.call('FA_fs_upload_dir', again)).toEqual([`${url}/deep/later.txt`]);
    expect(await unit.call('FA_fs_upload_dir', again)).toEqual([]);
    await unit.call('FA_fs_upload_file', {
      local_path: join(here('one'), 'a b.txt'),
      url: `${url}/new/d.txt`,
    });
    expect(await unit.call('FA_fs_exists', { url: `${url}/new/d.txt` })).toBe(true);
    const listed = (await unit.call('FA_fs_list_dir', { url })) as {
      readonly name: string;
      is_dir: boolean;
    }[];
    expect(listed.map(({ name, is_dir }) => `${name} ${is_dir}`).sort()).toEqual([
      'a b.txt false',
      'deep true',
      'new true',
    ]);
    await unit.call('FA_copy_between', {
      source: `${url}/deep/c.txt`,
      target: `${url}/deep/copy #1.txt`,
    });
    await unit.call('FA_copy_between', {
      source: `${url}/deep/copy #1.txt`,
      target: here('back.txt'),
    });
    await unit.call('FA_copy_between', {
      source: `${url}/a b.txt`,
      target: 'memory:from-there.txt',
    });
    expect(await unit.call('FA_file_checksum', { path: 'memory:from-there.txt' })).toBe(HELLO);
    await unit.call('FA_fs_download_file', {
      url: `${url}/new/d.txt`,
      target_path: here('down.txt'),
    });
    expect([await readFile(here('back.txt'), 'utf8'), await readFile(here('down.txt'), 'utf8')]).toEqual([
      'see',
      'hello',
    ]);
    await unit.call('FA_fs_delete_path', { url: `${url}/a b.txt` });
    await unit.call('FA_fs_delete_path', { url: `${url}/deep`, recursive: true });
    expect(await unit.call('FA_fs_exists', { url: `${url}/deep/c.txt` })).toBe(false);
  });

  test.skipIf(cannot)('is sent to and listed at its top', async () => {
    const url = /^\w+:\/?$/.test(service.top) ? service.top.replace(/:$/, ':/') : service.top;
    const dir_path = await make('top', { 'at the top.txt': 'hello' });
    expect(await unit.call('FA_fs_upload_dir', { dir_path, url })).toEqual([`${url}at the top.txt`]);
    expect(await unit.call('FA_fs_upload_dir', { dir_path, url, resume: true })).toEqual([]);
    expect(await unit.call('FA_fs_list_dir', { url })).toContainEqual(
      expect.objectContaining({ name: 'at the top.txt', is_dir: false }),
    );
    await unit.call('FA_fs_delete_path', { url: `${url}at the top.txt` });
  });

  // The other services have no links, or none that a test can make.
  const withLinks = ['local', 'sftp'].includes(name) ? test.skipIf(cannot) : undefined;
  withLinks?.('loses a link, not what it leads to', async () => {
    const root = service.top.replace(/^\w+:/, '');
    await mkdir(join(root, 'led/to'), { recursive: true });
    await symlink('led', join(root, 'link'));
    await unit.call('FA_fs_delete_path', { url: `${service.top}link`, recursive: true });
    expect(await readdir(join(root, 'led'))).toEqual(['to']);
    await unit.call('FA_fs_delete_path', { url: `${service.top}led`, recursive: true });
    expect((await readdir(root)).filter((each) => /^(?:led|link)$/.test(each))).toEqual([]);
  });

  test.skipIf(cannot)('is found, summed, compared with a manifest and searched for duplicates', async () => {
    const url = `${service.top}look`;
    const dir_path = await make('two', {
      'a.txt': 'hello',
      'x/b.TXT': 'hello',
      'x/c.md': 'world',
      'empty.md': '',
    });
    await unit.call('FA_fs_upload_dir', { dir_path, url });
    expect(await unit.call('FA_fast_find', { root: url, pattern: '*.txt' })).toEqual([
      `${url}/a.txt`,
      `${url}/x/b.TXT`,
    ]);
    expect(await unit.call('FA_fast_find', { root: url, limit: 1 })).toEqual([`${url}/a.txt`]);
    expect(await unit.call('FA_file_checksum', { path: `${url}/a.txt`, progress_name: 'sum' })).toBe(HELLO);
    expect(await unit.call('FA_verify_checksum', { path: `${url}/x/b.TXT`, expected: HELLO })).toBe(true);
    await expect(unit.call('FA_file_checksum', { path: `${url}/none` })).rejects.toMatchObject({
      name: /NotExist|Store/,
    });
    const same = [[`${url}/a.txt`, `${url}/x/b.TXT`]];
    expect(await unit.call('FA_find_duplicates', { root: url, sample_bytes: 2 })).toEqual(same);
    const manifest = { root: url, manifest_path: here('manifest.json') };
    expect(await unit.call('FA_write_manifest', manifest)).toMatchObject({
      root: url,
      files: { 'x/c.md': { size: 5 } },
    });
    // The manifest of the far folder holds for the near one, too.
    expect(await unit.call('FA_verify_manifest', { ...manifest, root: dir_path })).toMatchObject({
      ok: true,
    });
    await make('two', { 'a.txt': 'HELLO', 'more.txt': '1' });
    await unit.call('FA_fs_upload_dir', { dir_path, url });
    await unit.call('FA_fs_delete_path', { url: `${url}/x/c.md` });
    expect(await unit.call('FA_verify_manifest', manifest).catch(resultOf)).toMatchObject({
      matched: ['empty.md', 'x/b.TXT'],
      missing: ['x/c.md'],
      modified: ['a.txt'],
      extra: ['more.txt'],
    });
  });

  test.skipIf(cannot)('is one side of a synchronization, and holds backups that are rotated', async () => {
    const dst = `${service.top}sync`;
    const src = await make('three', { 'a.txt': 'one', 'sub/b.txt': 'two', 'sub/c.txt': 'three' });
    const first = await unit.call('FA_sync_dir', { src, dst });
    expect(first).toMatchObject({
      copied: ['a.txt', 'sub/b.txt', 'sub/c.txt'],
      skipped: [],
      errors: [],
    });
    expect(await unit.call('FA_sync_dir', { src, dst })).toMatchObject({
      copied: [],
      errors: [],
      deleted: [],
    });
    await make('three', { 'a.txt': 'other' });
    await rm(join(src, 'sub/b.txt'));
    const mirror = { src, dst, delete: true, max_delete: 1, compare: 'checksum' };
    const seen = { copied: ['a.txt'], deleted: ['sub/b.txt'], skipped: ['sub/c.txt'] };
    expect(await unit.call('FA_sync_dir', { ...mirror, dry_run: true })).toMatchObject({
      ...seen,
      dry_run: true,
    });
    await expect(unit.call('FA_sync_dir', { ...mirror, max_delete: 0 })).rejects.toMatchObject({
      name: /TooMuch|Sync/,
    });
    expect(await unit.call('FA_sync_dir', mirror)).toMatchObject({ ...seen, errors: [] });
    const back = { src: dst, dst: here('four') };
    expect(await unit.call('FA_sync_dir', back)).toMatchObject({
      copied: ['a.txt', 'sub/c.txt'],
      folders_made: name === 'local' ? ['.', 'sub'] : ['sub'],
    });
    // Folders of the source that only names of files tell are no extras of the target.
    expect(await unit.call('FA_sync_dir', { ...back, delete: true })).toMatchObject({
      copied: [],
      deleted: [],
      errors: [],
    });
    expect(await readdir(here('four'), { recursive: true })).toEqual(['a.txt', 'sub', 'sub/c.txt']);
    const rotate = { directory: `${dst}/sub`, keep_daily: 1, keep_weekly: 0, keep_monthly: 0 };
    await unit.call('FA_copy_between', { source: `${dst}/a.txt`, target: `${dst}/sub/d.txt` });
    expect(await unit.call('FA_rotate_backups', { ...rotate, dry_run: true })).toMatchObject({
      deleted: { length: 1 },
    });
    expect(await unit.call('FA_rotate_backups', rotate)).toMatchObject({
      kept: { length: 1 },
      errors: [],
    });
  });

  test.skipIf(cannot)('keeps what a synchronization excludes', async () => {
    const dst = `${service.top}globs`;
    const all = { 'a.txt': 'a', 'b.log': 'b', 'no/c.txt': 'c', 'sub/d.txt': 'd', 'sub/no/e.txt': 'e' };
    const src = await make('eight', all);
    await unit.call('FA_sync_dir', { src, dst });
    await rm(src, { recursive: true });
    await make('eight', { 'a.txt': 'a', 'new.log': '', 'no/new.txt': '', 'sub/new.txt': 'new' });
    const exclude = ['*.log', 'no/'];
    const mirror = { src, dst, delete: true, max_delete: 1, exclude };
    const seen = { copied: ['sub/new.txt'], skipped: ['a.txt'], deleted: ['sub/d.txt'], errors: [] };
    expect(await unit.call('FA_sync_dir', { ...mirror, dry_run: true })).toMatchObject(seen);
    expect(await unit.call('FA_sync_dir', mirror)).toMatchObject(seen);
    const back = { src: dst, dst: here('nine'), exclude };
    expect(await unit.call('FA_sync_dir', back)).toMatchObject({ copied: ['a.txt', 'sub/new.txt'], errors: [] });
    expect(await unit.call('FA_sync_dir', { src: dst, dst: here('ten') })).toMatchObject({
      copied: ['a.txt', 'b.log', 'no/c.txt', 'sub/new.txt', 'sub/no/e.txt'],
    });
  });

  test.skipIf(cannot)('gives a folder up for a file of the source, where it may delete', async () => {
    const dst = `${service.top}room`;
    const src = await make('seven', { 'a.txt': 'a', 'x/b.txt': 'b', 'x/y/c.txt': 'c' });
    await unit.call('FA_sync_dir', { src, dst });
    await rm(join(src, 'x'), { recursive: true });
    await make('seven', { x: 'file' });
    const mirror = { src, dst, delete: true, max_delete: 2 };
    const seen = { copied: ['x'], skipped: ['a.txt'], deleted: ['x/b.txt', 'x/y/c.txt'], errors: [] };
    await expect(unit.call('FA_sync_dir', { ...mirror, max_delete: 1 })).rejects.toMatchObject({ name: /Sync/ });
    expect(await unit.call('FA_sync_dir', { ...mirror, dry_run: true })).toMatchObject(seen);
    expect(await unit.call('FA_sync_dir', mirror)).toMatchObject(seen);
    expect(await unit.call('FA_sync_dir', mirror)).toMatchObject({ copied: [], skipped: ['a.txt', 'x'], deleted: [] });
  });

  test.skipIf(cannot)('is synchronized to a folder here, with nothing written through its links', async () => {
    const src = `${service.top}true`;
    await unit.call('FA_fs_upload_dir', {
      dir_path: await make('five', { 'a.txt': 'new', 'd/b.txt': 'new' }),
      url: src,
    });
    await make('aside', { 'a.txt': 'kept', 'd/c.txt': 'kept' });
    const dst = await make('six', { kept: '' });
    await symlink('../aside/a.txt', join(dst, 'a.txt'));
    await symlink('../aside/d', join(dst, 'd'));
    expect(await unit.call('FA_sync_dir', { src, dst })).toMatchObject({ copied: ['a.txt', 'd/b.txt'], errors: [] });
    expect(await readFile(here('aside/a.txt'), 'utf8')).toBe('kept');
    expect((await readdir(here('aside'), { recursive: true })).sort()).toEqual(['a.txt', 'd', 'd/c.txt']);
    expect([await readFile(join(dst, 'a.txt'), 'utf8'), await readFile(join(dst, 'd/b.txt'), 'utf8')]).toEqual([
      'new',
      'new',
    ]);
    expect((await lstat(join(dst, 'd'))).isDirectory()).toBe(true);
    expect((await lstat(join(dst, 'a.txt'))).isFile()).toBe(true);
    expect(await unit.call('FA_sync_dir', { src, dst })).toMatchObject({ copied: [] });
  });
});

/** The result that a failed step has all the same. */
function resultOf(error: unknown): unknown {
  return (error as { readonly options?: { readonly result?: unknown } }).options?.result ?? error;
}

describe('what is no address', () => {
  const wrong = [
    ['memory:', 'it lacks a path'],
    ['memory:a\nb', 'it holds the character \\n'],
    ['s3:bucket', '// must stand behind "s3:"'],
    ['s3://', 'it lacks a bucket'],
    ['sftp://host:99999/x', 'its port must be a number of 1-65535'],
    ['sftp://me:kept:se@cret@host/x', 'what stands behind // is no host'],
    ['drve://x', 'no storage is called "drve", is "drive" meant?'],
    ['://x', 'no scheme stands in front of ://'],
    ['https://me:kept@host/x', 'a password must not stand in it'],
  ] as const;

  test.each(wrong)('is told in words, without a password: %j', async (url, reason) => {
    await using unit = await session();
    const { message } = await failureOf(unit.call('FA_fs_exists', { url }));
    expect(message).toContain(`names no file: ${reason}.`);
    expect(message).not.toMatch(/kept|cret/);
  });
});

test('a folder of this machine that is written as an address has a manifest like one without', async () => {
  const root = await mkdtemp(join(tmpdir(), 'svc-address-'));
  await using unit = await session({ root });
  await mkdir(join(root, 'tree'));
  await writeFile(join(root, 'tree', 'a.txt'), 'a');
  await symlink('a.txt', join(root, 'tree', 'link'));
  const given = { root: `local:${root}/tree`, manifest_path: join(root, 'tree', 'm.json') };
  for (let times = 0; times < 2; times += 1)
    expect(await unit.call('FA_write_manifest', given)).toMatchObject({
      root: given.root,
      files: { 'a.txt': { size: 1 }, link: { link: 'a.txt' } },
    });
  expect(await unit.call('FA_verify_manifest', given)).toEqual({
    matched: ['a.txt', 'link'],
    missing: [],
    modified: [],
    extra: [],
    ok: true,
  });
  await rm(root, { recursive: true });
});

test('the configuration allows schemes one by one', async () => {
  await using unit = await session({ settings: { gates: {}, storage: { schemes: ['local', 's3'] } } });
  expect(await unit.call('FA_fs_exists', { url: 'file:/' })).toBe(true);
  expect(await unit.call('FA_fs_exists', { url: '/' })).toBe(true);
  const refusal = async (url: string): Promise<string> =>
    (await unit.step('FA_fs_exists', { url })).failure?.message ?? 'none';
  expect(await refusal('memory:x')).toBe(
    'Addresses that begin with "memory:" may not be opened here; allowed are local, s3.',
  );
  // The same kind by its other name: only the connection is missing.
  expect(await refusal('objstore://bucket/key')).toContain('no open connection to objstore');
  expect(
    (await unit.step('FA_copy_between', { source: '/etc/hostname', target: 'sftp:/x' })).failure?.message,
  ).toContain('"sftp:"');
});

test('a login that is refused shows no secret', async () => {
  const root = await mkdtemp(join(tmpdir(), 'svc-address-'));
  const unit = await session({ root });
  await unit.call('FA_audit_open', { db_path: join(root, 'audit.db') });
  const secrets = { connection_string: 'AccountName=a;AccountKey=c2VjcmV0LWFzLXN1Y2g=', password: 'pass-as-such' };
  const url = 'az://container/x';
  const { failure } = await unit.step('FA_fs_exists', { url, storage_options: { ...secrets, nonsense: 1 } });
  expect(failure?.message).toContain('there is no option');
  const rows = JSON.stringify([await unit.call('FA_audit_recent', { action: 'FA_fs_exists' }), unit.records]);
  expect(rows).toContain('"connection_string":"***"');
  expect(rows).not.toMatch(/c2VjcmV0|pass-as-such/);
  await unit.end();
  await rm(root, { recursive: true });
});
