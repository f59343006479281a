import { chmod, readFile, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_sync_dir } from '#stdlib/files/copies/sync/sync.ts';
import type { FileStat } from '#schemas/types/host.ts';

import { openPlace, type Place } from '../call-here.ts';
import { plain, syncCalls, type Options } from './sync-calls.ts';

let place: Place;
beforeEach(async () => void (place = await openPlace()));
afterEach(() => place.close());

const { make, sync, tree } = syncCalls(() => place);

describe('while something else is at work', () => {
  /** Does something the moment before the host copies. */
  async function syncWith(before: () => Promise<void>, options: Options = {}) {
    const { files } = place.context;
    const copyMany: typeof files.copyMany = async (copies, given) => {
      if (copies.length > 0) await before();
      return files.copyMany(copies, given);
    };
    const params = { src: place.path('s'), dst: place.path('t'), ...plain, ...options };
    return FA_sync_dir(params, { ...place.context, files: { ...files, copyMany } } as never);
  }

  it('copies a file that was changed after it was looked at as it is now', async () => {
    await make({ 's/a': 'a', 's/b': 'b' });
    expect(await syncWith(() => make({ 's/a': 'longer' }, 1_700_000_000))).toMatchObject({
      copied: ['a', 'b'],
      errors: [],
    });
    expect([await readFile(place.path('t/a'), 'utf8'), (await stat(place.path('t/a'))).mtimeMs]).toEqual([
      'longer',
      1_700_000_000_000,
    ]);
    expect((await sync()).copied).toEqual([]);
  });

  it('tells of a file that vanished, and of one whose place a link took', async () => {
    await make({ 's/gone': 'g', 's/swapped': 's', 's/stays': 'x', outside: 'secret', 't/gone': 'old content' });
    const { copied, errors } = await syncWith(async () => {
      for (const name of ['s/gone', 's/swapped']) await unlink(place.path(name));
      await symlink('../outside', place.path('s/swapped'));
    });
    expect([copied, errors.map(([name]) => name)]).toEqual([['stays'], ['gone', 'swapped']]);
    expect(errors[0]?.[1]).toBe(`There is no file "${place.path('s/gone')}".`);
    expect(await tree('t')).toEqual({ gone: 'old content', stays: 'x' });
  });

  it('deletes nothing when a folder of the source vanishes', async () => {
    await make({ 's/a': 'a', 's/sub/b': 'b', 't/a': 'a', 't/sub/b': 'b', 't/c': 'c', 't/old': 'o' });
    const { files } = place.context;
    const survey: typeof files.survey = (path, signal) => {
      if (path === place.path('s/sub')) throw Object.assign(new Error('no'), { code: 'ENOENT', path });
      return files.survey(path, signal);
    };
    const params = { src: place.path('s'), dst: place.path('t'), ...plain, delete: true };
    const { deleted, errors } = await FA_sync_dir(params, { ...place.context, files: { ...files, survey } } as never);
    expect([deleted, errors.map(([name]) => name)]).toEqual([[], ['.', 'sub']]);
    expect(await tree('t')).toMatchObject({ c: 'c', old: 'o', 'sub/b': 'b' });
  });

  it('stops with the step, and leaves no temporary file', async () => {
    await make({ s: null, t: null });
    await writeFile(place.path('s/large'), Buffer.alloc(64 << 20, 7));
    const stopped = new AbortController();
    place = { ...place, context: { ...place.context, signal: stopped.signal } };
    setTimeout(() => stopped.abort(new Error('enough')), 5);
    await expect(sync()).rejects.toThrow('enough');
    expect(await tree('t')).toEqual({});
  });

  it('finds two names of the source that are one in the target', async () => {
    await make({ 's/A': 'first', 's/a': 'second', 's/other': 'o', 's/D/x': 'x', 's/d/y': 'y' });
    const { files } = place.context;
    // A file system that takes `a` for `A`: what was not listed is there once the first was written.
    const lower = (path: string): string =>
      join(
        dirname(path).replace('/t/d', '/t/D'),
        path.startsWith(`${place.path('t')}/`)
          ? (path
              .split('/')
              .at(-1)
              ?.replace(/^[ad]$/, (name) => name.toUpperCase()) ?? '')
          : (path.split('/').at(-1) ?? ''),
      );
    const lstatOf = (path: string): Promise<FileStat> => files.lstat(lower(path));
    const params = { src: place.path('s'), dst: place.path('t'), ...plain };
    const again = async () => FA_sync_dir(params, { ...place.context, files: { ...files, lstat: lstatOf } } as never);
    const { copied, errors } = await again();
    expect([copied, errors]).toEqual([
      ['A', 'D/x', 'other'],
      ['a', 'd'].map((name) => [
        name,
        `"${place.path('t', name)}" stands for another entry of the source in the target's file system.`,
      ]),
    ]);
    expect((await again()).copied).toEqual([]);
    expect(await tree('t')).toEqual({ A: 'first', other: 'o', D: null, 'D/x': 'x' });
  });

  it('tells of whichever call fails, leaves every target old or new, and is put right by the next run', async () => {
    const changing = [
      'survey',
      'copyMany',
      'makeDirectory',
      'remove',
      'link',
      'rename',
      'readLink',
      'setMode',
      'setTimes',
    ] as const;
    const failed = new Set<string>();
    for (let n = 1; ; n += 1) {
      for (const name of ['s', 't']) await rm(place.path(name), { recursive: true, force: true });
      await make({
        's/a': 'new',
        's/mode': 'm',
        's/d/b': 'new',
        's/new/c': 'new',
        's/f': 'f',
        't/a': 'older',
        't/mode': 'm',
        't/d/b': 'older',
        't/x/y': 'y',
        't/f': null,
        't/w': 'w',
      });
      await chmod(place.path('s/mode'), 0o600);
      await symlink('1', place.path('s/link'));
      await symlink('2', place.path('t/link'));
      let count = 0;
      const { files } = place.context;
      const failing = Object.fromEntries(
        changing.map((name) => [
          name,
          async (...given: unknown[]): Promise<unknown> => {
            if ((count += 1) !== n) return (files[name] as (...args: unknown[]) => unknown)(...given);
            failed.add(name);
            throw Object.assign(new Error('EIO'), {
              code: 'EIO',
              path: typeof given[0] === 'string' ? given[0] : place.path('t'),
            });
          },
        ]),
      );
      const run = FA_sync_dir({ ...plain, src: place.path('s'), dst: place.path('t'), delete: true, max_delete: 9 }, {
        ...place.context,
        files: { ...files, ...failing },
      } as never);
      const told = await Promise.resolve(run).then(
        ({ errors }) => errors,
        (error: unknown) => [['.', String(error)] as const],
      );
      if (count < n) break;
      expect(told.length, `call ${n}`).toBeGreaterThan(0);
      for (const [name, message] of told)
        expect([name, message.includes(place.root) || message.includes('EIO')]).toEqual([name, true]);
      for (const [name, content] of Object.entries(await tree('t')))
        expect(['new', 'older', 'm', 'f', 'y', 'w', '-> 1', '-> 2', null], name).toContain(content);
      expect(await sync({ delete: true, max_delete: 9 })).toMatchObject({ errors: [] });
      expect(await tree('t'), `after call ${n}`).toEqual(await tree('s'));
      expect((await stat(place.path('t/mode'))).mode & 0o777).toBe(0o600);
    }
    expect([...failed].sort()).toEqual([...changing].sort());
  });
});
