import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_sync_dir } from '#stdlib/files/copies/sync/sync.ts';

import { session } from '../../call.ts';
import { failureOf, openPlace, type Place } from '../call-here.ts';
import { plain, syncCalls } from './sync-calls.ts';

let place: Place;
beforeEach(async () => void (place = await openPlace()));
afterEach(() => place.close());

const { make, sync, tree } = syncCalls(() => place);

describe('FA_sync_dir with globs', () => {
  it.each([
    ['*.log', ['a.txt', 'build/x.txt', 'sub/build/y.txt', 'sub/logs/d.txt']],
    ['build', ['a.txt', 'b.log', 'sub/c.log', 'sub/logs/d.txt']],
    ['/build', ['a.txt', 'b.log', 'sub/build/y.txt', 'sub/c.log', 'sub/logs/d.txt']],
    ['build/', ['a.txt', 'b.log', 'sub/c.log', 'sub/logs/d.txt']],
    ['a.txt/', ['a.txt', 'b.log', 'build/x.txt', 'sub/build/y.txt', 'sub/c.log', 'sub/logs/d.txt']],
    ['logs/*.txt', ['a.txt', 'b.log', 'build/x.txt', 'sub/build/y.txt', 'sub/c.log']],
    ['/sub/**', ['a.txt', 'b.log', 'build/x.txt']],
    ['/sub/**/*.txt', ['a.txt', 'b.log', 'build/x.txt', 'sub/c.log']],
    ['*.LOG', ['a.txt', 'b.log', 'build/x.txt', 'sub/build/y.txt', 'sub/c.log', 'sub/logs/d.txt']],
    [
      ['*.log', '/sub/'],
      ['a.txt', 'build/x.txt'],
    ],
  ])('leaves out what %j names', async (exclude, copied) => {
    await make({ 's/a.txt': '', 's/b.log': '', 's/build/x.txt': '', 's/sub/c.log': '' });
    await make({ 's/sub/build/y.txt': '', 's/sub/logs/d.txt': '' });
    expect(await sync({ exclude })).toMatchObject({ copied, errors: [] });
  });

  it('deletes nothing that is excluded, nor the folders that it is in', async () => {
    await make({ 's/a': 'a', 't/x.keep': 'x', 't/only/x.keep': 'x', 't/only/gone': '', 't/cache/deep/b': '' });
    await make({ 't/gone/c': '', 't/gone/cache': null });
    const wanted = { delete: true, exclude: ['*.keep', 'cache/'], max_delete: 2 };
    const done = { copied: ['a'], deleted: ['gone/c', 'only/gone'], folders_removed: [], errors: [] };
    expect(await sync({ ...wanted, dry_run: true })).toMatchObject(done);
    expect(await sync(wanted)).toMatchObject(done);
    expect(await tree('t')).toEqual({
      a: 'a',
      cache: null,
      'cache/deep': null,
      'cache/deep/b': '',
      gone: null,
      'gone/cache': null,
      only: null,
      'only/x.keep': 'x',
      'x.keep': 'x',
    });
    expect(await sync(wanted)).toMatchObject({ copied: [], deleted: [], skipped: ['a'], errors: [] });
  });

  it('counts what is excluded for no bound of what may be deleted', async () => {
    await make({ 's/a': 'a', 't/a': 'a', 't/b': '', 't/c': '', 't/1.log': '', 't/2.log': '', 't/logs/3.log': '' });
    expect(await failureOf(sync({ delete: true, exclude: '*.log' }))).toMatchObject({ facts: { code: 'SVC86202' } });
    expect(await sync({ delete: true, exclude: ['*.log', 'c'] })).toMatchObject({ deleted: ['b'] });
  });

  it('enters no folder that is excluded, on either side', async () => {
    await make({ 's/a': 'a', 's/no/b': '', 's/sub/no/c': '', 't/no/b': '', 't/extra/no/d': '' });
    const { files } = place.context;
    const seen: string[] = [];
    const survey: typeof files.survey = (path, signal) => {
      seen.push(path);
      return files.survey(path, signal);
    };
    const params = { ...plain, src: place.path('s'), dst: place.path('t'), delete: true, exclude: 'no' };
    await FA_sync_dir(params, { ...place.context, files: { ...files, survey } } as never);
    expect(seen.filter((path) => path.endsWith('/no'))).toEqual([]);
    expect(seen.length).toBeGreaterThan(3);
  });

  it('takes only what is included, and makes only the folders that this needs', async () => {
    await make({ 's/a.jpg': '', 's/b.txt': '', 's/pics/c.jpg': '', 's/pics/d.txt': '', 's/text/e.txt': '' });
    await make({ 's/docs/f.txt': '', 's/docs/empty': null, 's/docs/draft/g': '', 's/none': null });
    await make({ 't/old.txt': 'old', 't/old/h.jpg': '', 't/stays/i.txt': '', 't/stays/j.jpg': '', 't/void': null });
    const wanted = { include: ['*.jpg', 'docs/'], exclude: 'draft', delete: true, max_delete: 2 };
    const done = {
      copied: ['a.jpg', 'docs/f.txt', 'pics/c.jpg'],
      deleted: ['old/h.jpg', 'stays/j.jpg'],
      folders_made: ['docs', 'docs/empty', 'pics'],
      folders_removed: ['old'],
      errors: [],
    };
    expect(await sync({ ...wanted, dry_run: true })).toMatchObject(done);
    expect(await sync(wanted)).toMatchObject(done);
    expect(Object.keys(await tree('t')).filter((name) => !/^(docs|pics|a)/.test(name))).toEqual([
      'old.txt',
      'stays',
      'stays/i.txt',
      'void',
    ]);
    expect(await sync(wanted)).toMatchObject({ copied: [], deleted: [], updated: [], folders_made: [] });
  });

  it('replaces nothing that is not its own', async () => {
    await make({ 's/cache': 'file', 's/sub/a.jpg': 'a', 's/room': 'file', 's/b': 'b' });
    await make({ 't/cache/x': '', 't/room/y.keep': '', 't/room/z': '' });
    await symlink('nowhere', place.path('t/sub'));
    const { errors, copied, deleted } = await sync({ delete: true, exclude: ['cache/', '*.keep'], max_delete: 9 });
    expect([errors.map(([name]) => name), copied, deleted]).toEqual([['cache', 'room'], ['b', 'sub/a.jpg'], []]);
    expect(await tree('t')).toMatchObject({ 'cache/x': '', 'room/y.keep': '', 'room/z': '', 'sub/a.jpg': 'a' });
    await rm(place.path('t'), { recursive: true });
    await make({ 't/sub': 'mine' });
    const only = await sync({ include: '*.jpg', delete: true });
    expect([only.errors.map(([name]) => name), only.copied, await tree('t')]).toEqual([['sub'], [], { sub: 'mine' }]);
  });

  it('matches names that are no UTF-8', async () => {
    await make({ 's/a': 'a' });
    await writeFile(Buffer.from(`${place.path('s')}/f\xfe`, 'latin1'), '');
    await writeFile(Buffer.from(`${place.path('s')}/g\xfe`, 'latin1'), '');
    expect((await sync({ dry_run: true, exclude: 'f?' })).copied).toEqual(['a', 'g\udcfe']);
    expect((await sync({ dry_run: true, exclude: '*\udcfe' })).copied).toEqual(['a']);
  });
});

describe('FA_sync_dir with globs and storage', () => {
  const files = { 'a.txt': 'a', 'b.log': 'b', 'no/c.txt': 'c', 'sub/d.txt': 'd', 'sub/no/e.txt': 'e' };
  it.each(['memory to memory', 'here to memory', 'memory to here', 'here to here'])('%s: the same', async (way) => {
    const root = await mkdtemp(join(tmpdir(), 'svc-globs-'));
    await using unit = await session({ root, settings: { gates: { private: true } } });
    const fill = async (name: string, all: Readonly<Record<string, string>>): Promise<void> => {
      for (const [file, text] of Object.entries(all)) {
        await mkdir(join(root, name, file, '..'), { recursive: true });
        await writeFile(join(root, name, file), text);
        await utimes(join(root, name, file), 1_600_000_000, 1_600_000_000);
      }
    };
    const [from, to] = way.split(' to ').map((side) => side === 'memory');
    await fill('s', files);
    await fill('t', { 'x.log': '', 'no/y.txt': '', 'old/z.log': '', 'old/gone.txt': '', 'sub/w.txt': '' });
    for (const name of ['s', 't']) await unit.call('FA_sync_dir', { src: join(root, name), dst: `memory:${name}` });
    const params = {
      src: from ? 'memory:s' : join(root, 's'),
      dst: to ? 'memory:t' : join(root, 't'),
      delete: true,
      max_delete: 2,
      exclude: ['*.log', 'no/'],
    };
    const done = {
      copied: ['a.txt', 'sub/d.txt'],
      deleted: ['old/gone.txt', 'sub/w.txt'],
      folders_made: [],
      folders_removed: [],
      errors: [],
    };
    expect(await unit.call('FA_sync_dir', { ...params, dry_run: true })).toMatchObject(done);
    expect(await unit.call('FA_sync_dir', params)).toMatchObject(done);
    expect(await unit.call('FA_sync_dir', params)).toMatchObject({ copied: [], deleted: [], errors: [] });
    const only = { ...params, max_delete: 3, exclude: null, include: ['*.log', '/no'] };
    expect(await unit.call('FA_sync_dir', only)).toMatchObject({
      copied: ['b.log', 'no/c.txt'],
      deleted: ['no/y.txt', 'old/z.log', 'x.log'],
      folders_made: [],
      folders_removed: ['old'],
      errors: [],
    });
    await rm(root, { recursive: true });
  });

  it('replaces nothing there that is not its own', async () => {
    const root = await mkdtemp(join(tmpdir(), 'svc-globs-'));
    await using unit = await session({ root, settings: { gates: { private: true } } });
    const put = async (top: string, names: readonly string[]): Promise<void> => {
      for (const name of names) await mkdir(join(root, top, name, '..'), { recursive: true });
      for (const name of names) await writeFile(join(root, top, name), top);
    };
    await put('s', ['cache', 'room', 'sub/a.jpg', 'b']);
    await put('t', ['cache/x', 'room/y.keep', 'room/z', 'sub']);
    const src = join(root, 's');
    for (const [globs, wrong] of [
      [{ exclude: ['cache/', '*.keep'] }, ['cache', 'room']],
      [{ include: '*.jpg' }, ['sub']],
    ] as const) {
      const dst = `memory:${wrong[0]}`;
      await unit.call('FA_sync_dir', { src: join(root, 't'), dst });
      const given = { src, dst, delete: true, max_delete: 9, ...globs };
      for (const dry_run of [true, false]) {
        const { failure } = await unit.step('FA_sync_dir', { ...given, dry_run });
        expect(failure?.options.result).toMatchObject({ errors: wrong.map((name) => [name, expect.any(String)]) });
      }
      expect(await unit.call('FA_fs_exists', { url: `${dst}/room/y.keep` })).toBe(true);
      expect(await unit.call('FA_fs_exists', { url: `${dst}/cache/x` })).toBe(true);
    }
    await rm(root, { recursive: true });
  });
});
