import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, link, lstat, readdir, readFile, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_sync_dir } from '#stdlib/files/copies/sync/sync.ts';

import { failureOf, openPlace, type Place } from '../call-here.ts';
import { runActions } from '../run-actions.ts';
import { plain, syncCalls } from './sync-calls.ts';

let place: Place;
beforeEach(async () => void (place = await openPlace()));
afterEach(() => place.close());

const { make, sync, tree } = syncCalls(() => place);

const nothing = {
  copied: [],
  deleted: [],
  updated: [],
  folders_made: [],
  folders_removed: [],
  errors: [],
  dry_run: false,
};

describe('FA_sync_dir', () => {
  it('makes the target, and finds nothing to do the second time', async () => {
    await make({ 's/a.txt': 'a', 's/sub/deep/b.txt': 'b', 's/empty': null });
    await symlink('a.txt', place.path('s/link'));
    await symlink('sub', place.path('s/to-folder'));
    await symlink('nowhere', place.path('s/dangling'));
    const copied = ['a.txt', 'dangling', 'link', 'sub/deep/b.txt', 'to-folder'];
    expect(await sync()).toEqual({ ...nothing, copied, skipped: [], folders_made: ['.', 'empty', 'sub', 'sub/deep'] });
    expect(await tree('t')).toEqual(await tree('s'));
    expect(await sync()).toEqual({ ...nothing, skipped: copied });
    expect(await sync({ compare: 'checksum' })).toEqual({ ...nothing, skipped: copied });
  });

  it('judges by size and time, up to two seconds apart', async () => {
    await make({
      's/same': 'a',
      's/near': 'a',
      's/far': 'a',
      's/size': 'aa',
      's/newer': 'a',
      't/same': 'b',
      't/size': 'b',
    });
    await make({ 't/near': 'b' }, 1_600_000_002);
    await make({ 't/far': 'b' }, 1_600_000_002.1);
    await make({ 't/newer': 'b' }, 1_700_000_000);
    const { copied, skipped } = await sync();
    expect({ copied, skipped }).toEqual({ copied: ['far', 'newer', 'size'], skipped: ['near', 'same'] });
    expect(await tree('t')).toEqual({ same: 'b', near: 'b', far: 'a', size: 'aa', newer: 'a' });
    expect((await stat(place.path('t/near'))).mtimeMs).toBe(1_600_000_002_000);
  });

  it('judges by content with `checksum`, and brings times into line', async () => {
    await make({ 's/same': 'a', 's/content': 'a', 's/size': 'aa', 't/content': 'b', 't/size': 'a' });
    await make({ 't/same': 'a' }, 1_700_000_000);
    expect(await sync({ compare: 'checksum' })).toMatchObject({
      copied: ['content', 'size'],
      skipped: ['same'],
      updated: ['same'],
    });
    expect((await stat(place.path('t/same'))).mtimeMs).toBe(1_600_000_000_000);
    // Differences of content alone are what the quick test cannot see.
    await make({ 's/same': 'c' });
    expect((await sync()).copied).toEqual([]);
    expect((await sync({ compare: 'checksum' })).copied).toEqual(['same']);
  });

  it('compares long files to their last byte', async () => {
    const long = 'x'.repeat(700_000);
    await make({ 's/a': `${long}1`, 's/b': `${long}2`, 't/a': `${long}1`, 't/b': `${long}3` });
    expect((await sync({ compare: 'checksum' })).copied).toEqual(['b']);
  });

  it('carries permission bits and times, also those of folders, and where nothing else differs', async () => {
    await make({ 's/run.sh': 'x', 's/secret': 'y', 's/sub/a': 'a' }, 1_500_000_000.25);
    await chmod(place.path('s/run.sh'), 0o4755);
    await chmod(place.path('s/sub'), 0o500);
    await utimes(place.path('s/sub'), 1_400_000_000, 1_400_000_000.5);
    await sync();
    const facts = async (name: string): Promise<unknown> => {
      const { mode, mtimeMs } = await stat(place.path(name));
      return [(mode & 0o7777).toString(8), mtimeMs];
    };
    expect([await facts('t/run.sh'), await facts('t/sub'), await facts('t/sub/a')]).toEqual([
      ['4755', 1_500_000_000_250],
      ['500', 1_400_000_000_500],
      ['644', 1_500_000_000_250],
    ]);
    await chmod(place.path('s/secret'), 0o600);
    await chmod(place.path('s/sub'), 0o700);
    expect(await sync()).toMatchObject({ copied: [], updated: ['secret', 'sub'] });
    expect([await facts('t/secret'), await facts('t/sub')]).toEqual([
      ['600', 1_500_000_000_250],
      ['700', 1_400_000_000_500],
    ]);
  });

  it('keeps private folders private from the start', async () => {
    await make({ 's/secret/a': 'a' });
    await chmod(place.path('s/secret'), 0o500);
    const { files } = place.context;
    const modes: number[] = [];
    const copyMany: typeof files.copyMany = async (...given) => {
      modes.push((await stat(place.path('t/secret'))).mode & 0o777);
      return files.copyMany(...given);
    };
    await FA_sync_dir({ ...plain, src: place.path('s'), dst: place.path('t') }, {
      ...place.context,
      files: { ...files, copyMany },
    } as never);
    expect([modes, (await stat(place.path('t/secret'))).mode & 0o777]).toEqual([[0o700], 0o500]);
  });

  it('deletes only where it is told to, folders too', async () => {
    await make({
      's/a': 'a',
      's/b': 'b',
      's/c': 'c',
      't/a': 'a',
      't/b': 'b',
      't/c': 'c',
      't/old/x': 'x',
      't/old/deep/empty': null,
      't/y': 'y',
    });
    expect(await sync()).toMatchObject({ deleted: [], folders_removed: [] });
    expect(await sync({ delete: true })).toMatchObject({
      deleted: ['old/x', 'y'],
      folders_removed: ['old', 'old/deep', 'old/deep/empty'],
      errors: [],
    });
    expect(await tree('t')).toEqual(await tree('s'));
  });

  it('stops before it deletes more than half of the target', async () => {
    await make({ 's/a': 'a', 't/a': 'a', 't/b': 'b', 't/c/d': 'd' });
    const before = await tree('t');
    await make({ 's/new': 'n' });
    const failure = await failureOf(sync({ delete: true }));
    expect([failure.facts.code, failure.message]).toEqual([
      'SVC86202',
      `Synchronizing would delete 2 of the 3 files in "${place.path('t')}"; at most 1 is allowed.`,
    ]);
    expect(await tree('t'), 'nothing at all was done').toEqual(before);
    expect(await sync({ delete: true, dry_run: true })).toMatchObject({
      copied: ['new'],
      deleted: ['b', 'c/d'],
      errors: [],
    });
    expect((await failureOf(sync({ delete: true, max_delete: 1 }))).facts.code).toBe('SVC86202');
    expect(await sync({ delete: true, max_delete: 2 })).toMatchObject({ deleted: ['b', 'c/d'] });
    expect(await sync({ delete: true, max_delete: 0 })).toMatchObject({ deleted: [], errors: [] });
  });

  it('does not empty a target because its source is empty', async () => {
    await make({ s: null, 't/a': 'a' });
    expect((await failureOf(sync({ delete: true }))).facts.code).toBe('SVC86202');
    expect(await tree('t')).toEqual({ a: 'a' });
  });

  it('changes nothing in a preview, which says the same', async () => {
    await make({ 's/a': 'a', 's/sub/b': 'b', 's/keep': 'k', 's/mode': 'm' });
    const preview = await sync({ dry_run: true });
    expect(preview).toMatchObject({
      copied: ['a', 'keep', 'mode', 'sub/b'],
      folders_made: ['.', 'sub'],
      dry_run: true,
    });
    await expect(lstat(place.path('t'))).rejects.toThrow('ENOENT');
    await make({ 't/keep': 'k', 't/mode': 'm', 't/old': 'o' });
    await chmod(place.path('t/mode'), 0o600);
    const before = await tree('t');
    const second = await sync({ dry_run: true, delete: true });
    expect(await tree('t')).toEqual(before);
    expect({ ...(await sync({ delete: true })), dry_run: true }).toEqual(second);
  });

  it('never writes, reads or deletes through a link', async () => {
    await make({
      'outside/f': 'untouched',
      'outside/deep/g': 'untouched',
      's/file': 'new',
      's/folder/f': 'new',
      's/other': 'o',
      t: null,
    });
    await symlink('../outside/f', place.path('t/file'));
    await symlink('../outside', place.path('t/folder'));
    await symlink('../outside', place.path('t/extra'));
    await symlink('../outside/deep', place.path('s/link'));
    await symlink('../outside/deep', place.path('t/other'));
    expect(await sync({ delete: true, max_delete: 9 })).toMatchObject({ deleted: ['extra'], errors: [] });
    expect(await tree('t')).toEqual({
      file: 'new',
      folder: null,
      'folder/f': 'new',
      link: '-> ../outside/deep',
      other: 'o',
    });
    expect(await tree('outside')).toEqual({ f: 'untouched', deep: null, 'deep/g': 'untouched' });
  });

  it('replaces entries of another kind; a folder with content only with `delete`', async () => {
    await make({
      's/folder/x': 'x',
      's/file': 'f',
      's/emptied': 'e',
      't/folder': 'was a file',
      't/file/y': 'y',
      't/emptied': null,
      't/link/z': 'z',
      't/one': '1',
      't/two': '2',
      's/one': '1',
      's/two': '2',
    });
    await symlink('one', place.path('s/link'));
    const first = await sync();
    expect(first.errors).toEqual([
      ['file', `The target "${place.path('t/file')}" is a folder with content; the source has something else there.`],
      ['link', `The target "${place.path('t/link')}" is a folder with content; the source has something else there.`],
    ]);
    expect(first).toMatchObject({
      copied: ['emptied', 'folder/x'],
      folders_made: ['folder'],
      folders_removed: ['emptied'],
      deleted: [],
    });
    expect(await sync({ delete: true })).toMatchObject({
      copied: ['file', 'link'],
      deleted: ['file/y', 'link/z'],
      folders_removed: ['file', 'link'],
      errors: [],
    });
    expect(await tree('t')).toEqual(await tree('s'));
  });

  it('leaves what a hard link names alone, and makes several names of one file files of their own', async () => {
    await make({ 's/a': 'new', outside: 'older', t: null });
    await link(place.path('s/a'), place.path('s/b'));
    await link(place.path('outside'), place.path('t/a'));
    expect((await sync()).copied).toEqual(['a', 'b']);
    expect([await readFile(place.path('outside'), 'utf8'), (await stat(place.path('t/a'))).nlink]).toEqual([
      'older',
      1,
    ]);
  });

  it('keeps holes', async () => {
    await make({ 's/sparse': 'start', 's/hole': '' });
    await truncate(place.path('s/sparse'), 64 << 20);
    await writeFile(place.path('s/sparse'), 'end', { flag: 'a' });
    await truncate(place.path('s/hole'), 10 << 20);
    await sync();
    const [from, to] = [await stat(place.path('s/sparse')), await stat(place.path('t/sparse'))];
    expect([to.size, to.blocks <= from.blocks + 16]).toEqual([from.size, true]);
    expect((await readFile(place.path('t/sparse'))).equals(await readFile(place.path('s/sparse')))).toBe(true);
    expect((await stat(place.path('t/hole'))).blocks).toBeLessThan(32);
  });

  it('tells of pipes, sockets and devices, waits for none, and lets go over those in the target', async () => {
    await make({ 's/a': 'a', 's/p': 'file', t: null });
    for (const name of ['s/pipe', 't/p', 't/pipe']) execFileSync('mkfifo', [place.path(name)]);
    const server = createServer().listen(place.path('s/socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    const { copied, errors, deleted } = await sync({ delete: true });
    server.close();
    expect([copied, deleted]).toEqual([['a', 'p'], []]);
    expect(errors).toEqual([
      ['pipe', `"${place.path('s/pipe')}" is not a regular file.`],
      ['socket', `"${place.path('s/socket')}" is not a regular file.`],
    ]);
    expect(await tree('t')).toEqual({ a: 'a', p: 'file', pipe: 'pipe' });
  });

  it('takes names as they are: letter case, forms of accents, bytes that are no text, 255 bytes', async () => {
    const names = [
      'A',
      'a',
      '\u00e9',
      'e\u0301',
      ' ',
      '-rf',
      'new\nline',
      '\udcff\udcfe',
      `${'x'.repeat(254)}y`,
      '\u65e5'.repeat(85),
    ];
    await make({ s: null });
    for (const [index, name] of names.entries())
      await place.context.files.write(`${place.path('s')}/${name}`, String(index));
    expect((await sync()).copied.toSorted()).toEqual(names.toSorted());
    expect((await readdir(place.path('t'), { encoding: 'buffer' })).map(String).toSorted()).toEqual(
      (await readdir(place.path('s'), { encoding: 'buffer' })).map(String).toSorted(),
    );
    expect((await sync({ delete: true })).skipped).toHaveLength(names.length);
  });

  it('removes what a killed run left, leaves what a living process writes, and copies none of it', async () => {
    const { pid } = spawnSync('true');
    const mine = basename(place.context.files.temporaryBeside('x'));
    const left = mine.replace(/-[0-9a-z]+-([0-9a-z]+)-([0-9a-z]+)\.tmp$/, `-${pid.toString(36)}-$1-$2.tmp`);
    await make({
      's/a': 'a',
      [`s/${left}`]: 'half',
      [`s/${mine}`]: 'half',
      's/sub/b': 'b',
      [`t/${left}`]: 'half',
      [`t/sub/${left}`]: 'half',
      [`t/sub/${mine}`]: 'half',
      't/.tmp-mine.tmp': 'mine',
    });
    expect(await sync({ delete: true, max_delete: 1 })).toMatchObject({
      copied: ['a', 'sub/b'],
      deleted: ['.tmp-mine.tmp'],
      errors: [],
    });
    expect(await tree('t')).toEqual({ a: 'a', sub: null, 'sub/b': 'b', [`sub/${mine}`]: 'half' });
  });

  it('opens folders of its own that forbid changes, and closes them again', async () => {
    await make({ 's/sub/a': 'a', 't/sub/old': 'o', 's/b': 'b', 't/b': 'b' });
    for (const name of ['s/sub', 't/sub']) await chmod(place.path(name), 0o500);
    const modes: [string, string][] = [];
    const { files } = place.context;
    const setMode: typeof files.setMode = async (path, mode) => {
      modes.push([path.slice(place.root.length + 1), mode.toString(8)]);
      await files.setMode(path, mode);
    };
    const params = { src: place.path('s'), dst: place.path('t'), ...plain, delete: true };
    await FA_sync_dir(params, { ...place.context, files: { ...files, setMode } } as never);
    expect(modes.filter(([name]) => name === 't/sub')).toEqual([
      ['t/sub', '700'],
      ['t/sub', '500'],
    ]);
    expect(await tree('t')).toEqual({ b: 'b', sub: null, 'sub/a': 'a' });
  });

  describe('refuses', () => {
    it.each([
      ['a folder within itself', 's', 's/sub'],
      ['its own parent', 's/sub', 's'],
      ['itself', 's', 's'],
      ['a link to itself', 's', 'link'],
      ['a new folder behind a link into itself', 's', 'link/new/deeper'],
    ])('%s', async (_, src, dst) => {
      await make({ 's/sub/a': 'a' });
      await symlink('s', place.path('link'));
      expect((await failureOf(sync({ src: place.path(src), dst: place.path(dst), delete: true }))).facts.code).toBe(
        'SVC86201',
      );
      expect(await tree('s')).toEqual({ sub: null, 'sub/a': 'a' });
    });

    it('a source that is missing, and a target that is a file', async () => {
      await make({ 's/a': 'a', t: 'file' });
      expect((await failureOf(sync({ src: place.path('nowhere') }))).facts.code).toBe('SVC85001');
      expect((await failureOf(sync())).facts.code).toBe('SVC85008');
      await symlink('nowhere', place.path('gone'));
      expect((await failureOf(sync({ dst: place.path('gone') }))).facts.code).toBe('SVC85008');
    });
  });

  it('fails the step when something failed, unless it has an `expect`', async () => {
    await make({ 's/a': 'a' });
    execFileSync('mkfifo', [place.path('s/pipe')]);
    const { records } = await runActions(place.root, [
      ['FA_sync_dir', { src: place.path('s'), dst: place.path('t') }],
      { FA_sync_dir: { src: place.path('s'), dst: place.path('t') }, expect: 'len(result.errors) == 1' },
    ]);
    expect(records.map(({ status, error }) => [status, error?.code])).toEqual([
      ['failed', 'SVC86200'],
      ['passed', undefined],
    ]);
  });
});
