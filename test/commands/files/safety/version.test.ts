import { createHash } from 'node:crypto';
import { appendFile, chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import {
  FA_version_list,
  FA_version_prune,
  FA_version_restore,
  FA_version_save,
} from '#stdlib/files/safety/version/version.ts';

import { call, failureOf, openPlace, type Place } from '../call-here.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const root = (): string => place.path('versions');
const save = (name = 'a.txt', where = place): ReturnType<typeof call<'FA_version_save'>> =>
  call(FA_version_save, where, { root: root(), path: place.path(name) });
const list = (name = 'a.txt'): ReturnType<typeof call<'FA_version_list'>> =>
  call(FA_version_list, place, { root: root(), path: place.path(name) });
const restore = (version: number, name = 'a.txt'): Promise<unknown> =>
  call(FA_version_restore, place, { root: root(), path: place.path(name), version });
const prune = (keep: number, name = 'a.txt'): Promise<number> =>
  call(FA_version_prune, place, { root: root(), path: place.path(name), keep });
const text = (name: string): Promise<string> => readFile(place.path(name), 'utf8');
const folderOf = (name: string): string => join(root(), createHash('sha256').update(place.path(name)).digest('hex'));

it('numbers snapshots, which keep content, time and permissions', async () => {
  await writeFile(place.path('a.txt'), 'one', { mode: 0o640 });
  await utimes(place.path('a.txt'), 1_000, 2_000);
  const before = Date.now() / 1000;
  const first = await save();
  expect(first).toMatchObject({ version: 1 });
  expect(first.timestamp).toBeGreaterThanOrEqual(Math.floor(before));
  expect(basename(first.path)).toMatch(/^v000001__\d{19}$/);
  expect(await readFile(first.path, 'utf8')).toBe('one');
  const { mode, mtimeMs } = await stat(first.path);
  expect([mode & 0o777, mtimeMs]).toEqual([0o640, 2_000_000]);
  await writeFile(place.path('a.txt'), 'two');
  expect(await save()).toMatchObject({ version: 2 });
  expect((await list()).map(({ version }) => version)).toEqual([1, 2]);
  expect((await readdir(folderOf('a.txt'))).sort().map((name) => name.replace(/__\d+/, ''))).toEqual([
    'path.json',
    'v000001',
    'v000002',
  ]);
  expect(JSON.parse(await readFile(join(folderOf('a.txt'), 'path.json'), 'utf8'))).toEqual({
    path: place.path('a.txt'),
  });
});

it('keeps files apart whose paths would share a name elsewhere', async () => {
  for (const name of ['a/b', 'a__sep__b', '_a', 'a_']) {
    await mkdir(join(place.path(name), '..'), { recursive: true });
    await writeFile(place.path(name), name);
    await save(name);
  }
  for (const name of ['a/b', 'a__sep__b', '_a', 'a_']) expect((await list(name)).length).toBe(1);
});

it('brings a snapshot back at once, and stores what was there first', async () => {
  await writeFile(place.path('a.txt'), 'one', { mode: 0o600 });
  await utimes(place.path('a.txt'), 1_000, 2_000);
  await save();
  await writeFile(place.path('a.txt'), 'unsaved work');
  await chmod(place.path('a.txt'), 0o644);
  await restore(1);
  expect(await text('a.txt')).toBe('one');
  const { mode, mtimeMs } = await stat(place.path('a.txt'));
  expect([mode & 0o777, mtimeMs]).toEqual([0o600, 2_000_000]);
  expect(await readFile((await list())[1]?.path ?? '', 'utf8')).toBe('unsaved work');
  expect((await readdir(place.root)).sort()).toEqual(['a.txt', 'versions']);
});

it('brings back what is gone, and goes through a link, which stays one', async () => {
  await mkdir(place.path('deep'));
  await writeFile(place.path('deep/a'), 'one');
  await save('deep/a');
  await rm(place.path('deep'), { recursive: true });
  await restore(1, 'deep/a');
  expect(await text('deep/a')).toBe('one');
  expect((await list('deep/a')).length).toBe(1);
  await symlink('deep/a', place.path('link'));
  await save('link');
  await writeFile(place.path('deep/a'), 'two');
  await restore(1, 'link');
  expect(await text('deep/a')).toBe('one');
});

it('refuses what is no file, an unknown number, and a folder in the place of the file', async () => {
  await writeFile(place.path('a.txt'), 'one');
  await mkdir(place.path('folder'));
  for (const work of [
    () => save('none'),
    () => save('folder'),
    () => restore(1),
    () => save('a.txt').then(() => restore(2)),
  ])
    expect((await failureOf(work())).facts.name).toBe('VersioningException');
  await rm(place.path('a.txt'));
  await mkdir(place.path('a.txt'));
  expect((await failureOf(restore(1))).facts.code).toBe('SVC86415');
  expect(await list('none')).toEqual([]);
});

it('deletes all but the newest; numbers go on, or begin again after all went', async () => {
  await writeFile(place.path('a.txt'), 'x');
  for (let count = 0; count < 5; count += 1) await save();
  expect(await prune(2)).toBe(3);
  expect((await list()).map(({ version }) => version)).toEqual([4, 5]);
  expect(await prune(7)).toBe(0);
  expect(await save()).toMatchObject({ version: 6 });
  expect(await prune(0)).toBe(3);
  expect(await save()).toMatchObject({ version: 1 });
  expect(await prune(0, 'never')).toBe(0);
});

it('deletes nothing more once it is cancelled', async () => {
  await writeFile(place.path('a.txt'), 'x');
  for (let count = 0; count < 3; count += 1) await save();
  const { context } = place;
  const cancelled = { ...place, context: { ...context, signal: AbortSignal.abort(new Error('enough')) } };
  const pruning = call(FA_version_prune, cancelled, { root: root(), path: place.path('a.txt'), keep: 1 });
  await expect(pruning).rejects.toThrow('enough');
  expect(await list()).toHaveLength(3);
});

it('prunes what others prune at the same time, and counts its own', async () => {
  await writeFile(place.path('a.txt'), 'x');
  for (let count = 0; count < 10; count += 1) await save();
  const counts = await Promise.all([prune(1), prune(1), prune(1)]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(9);
});

it('stores a version that is pruned at once', async () => {
  await writeFile(place.path('a.txt'), 'x');
  const { files } = place.context;
  const rename: typeof files.rename = async (from, to, options) => {
    await files.rename(from, to, options);
    await files.remove(to);
  };
  Object.assign(place.context, { files: { ...files, rename } });
  expect((await save()).version).toBe(1);
});

it('gives each of many at once a number of its own', async () => {
  await writeFile(place.path('a.txt'), 'x');
  const saved = await Promise.all(Array.from({ length: 24 }, () => save()));
  const numbers = Array.from({ length: 24 }, (_, index) => index + 1);
  expect(saved.map(({ version }) => version).sort((one, other) => one - other)).toEqual(numbers);
  expect((await list()).map(({ version }) => version)).toEqual(numbers);
  expect((await readdir(folderOf('a.txt'))).filter((name) => !/^v\d{6}__\d+$/.test(name))).toEqual(['path.json']);
});

it('takes the snapshot that another process made in the same moment for no one of its own', async () => {
  await writeFile(place.path('file'), 'x');
  const params = { root: place.path('versions'), path: place.path('file') };
  const clock = { ...place.context.clock, now: () => 1_700_000_000_000 };
  const first: Place = { ...place, context: { ...place.context, clock } };
  let others = 1;
  const write: typeof place.context.files.write = async (path, content, options) => {
    // Between the look for the next number and its claim.
    if (path.endsWith('.claim') && others-- > 0) await call(FA_version_save, first, params);
    return place.context.files.write(path, content, options);
  };
  const second: Place = { ...place, context: { ...place.context, clock, files: { ...place.context.files, write } } };
  expect((await call(FA_version_save, second, params)).version).toBe(2);
  expect((await call(FA_version_list, place, params)).map(({ version }) => version)).toEqual([1, 2]);
});

it('finishes what a killed process had claimed, and believes no claim that leads elsewhere', async () => {
  await writeFile(place.path('a.txt'), 'x');
  await save();
  const folder = folderOf('a.txt');
  await writeFile(join(folder, '.half.tmp'), 'claimed');
  await writeFile(join(folder, 'v000002.claim'), '.half.tmp\nv000002__1700000000000000000\n');
  await writeFile(join(folder, 'v000003.claim'), '../../a.txt\nv000003__1700000000000000000\n');
  await writeFile(join(folder, 'v000004.claim'), 'torn');
  expect(await save()).toMatchObject({ version: 3 });
  expect(await readFile((await list())[1]?.path ?? '', 'utf8')).toBe('claimed');
  expect(await text('a.txt')).toBe('x');
  expect((await readdir(folder)).filter((name) => !/^v\d{6}__\d+$/.test(name))).toEqual(['path.json']);
});

it('makes no version of a file that changes while it is read', async () => {
  await writeFile(place.path('a.txt'), 'x'.repeat(300_000));
  const { files } = place.context;
  const stream = async function* (...args: Parameters<typeof files.stream>): AsyncGenerator<Uint8Array> {
    for await (const chunk of files.stream(...args)) {
      await appendFile(place.path('a.txt'), 'y');
      yield chunk;
    }
  };
  const busy = { ...place, context: { ...place.context, files: { ...files, stream } } };
  expect((await failureOf(save('a.txt', busy))).facts.code).toBe('SVC86409');
  expect(await list()).toEqual([]);
  expect(await readdir(folderOf('a.txt'))).toEqual(['path.json']);
});

it('takes names that are not UTF-8, and long ones', async () => {
  await writeFile(Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from([0x66, 0xfe])]), 'x');
  await writeFile(Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from([0x66, 0xff])]), 'y');
  await writeFile(place.path('l'.repeat(255)), 'long');
  for (const name of ['f\udcfe', 'f\udcff', 'l'.repeat(255)]) await save(name);
  await restore(1, 'l'.repeat(255));
  expect(await readFile((await list('f\udcff'))[0]?.path ?? '', 'utf8')).toBe('y');
  expect((await list('f\udcfe')).length).toBe(1);
});
