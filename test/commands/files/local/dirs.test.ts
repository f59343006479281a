import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readlink, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  FA_copy_dir,
  FA_create_dir,
  FA_discover_files,
  FA_list_dir,
  FA_remove_dir_tree,
  FA_rename_dir,
} from '#stdlib/files/local/dirs/dirs.ts';
import { matchesGlob } from '#stdlib/files/glob.ts';

import { nodeHost } from '#runtime/hosts/node.ts';

import { call, failureOf, openPlace, type Files, type Place } from '../call-here.ts';
import { session } from '../../session.ts';
import { lacks } from '../../../fixtures/programs.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const make = (files: Files): Promise<void> => place.make(files);
const names = async (...parts: string[]): Promise<string[]> =>
  (await readdir(place.path(...parts), { recursive: true })).sort();

describe('FA_create_dir', () => {
  const create = (name: string): Promise<unknown> => call(FA_create_dir, place, { dir_path: place.path(name) });

  it('makes parents, and succeeds when the folder is there, also as a link', async () => {
    expect(await create('a/b/c')).toBe(true);
    expect(await create('a/b/c')).toBe(true);
    await symlink('a', place.path('link'));
    expect(await create('link')).toBe(true);
  });

  it('refuses a file and a path through a file', async () => {
    await make({ file: '' });
    expect((await failureOf(create('file'))).facts.code).toBe('SVC85008');
    const through = await failureOf(create('file/below/deep'));
    expect([through.facts.code, through.message]).toEqual(['SVC85008', `"${place.path('file')}" is not a folder.`]);
  });
});

describe('FA_copy_dir', () => {
  const copy = (from: string, to: string): Promise<unknown> =>
    call(FA_copy_dir, place, { dir_path: place.path(from), target_dir_path: place.path(to) });

  it('makes the target with its parents, keeps links, modes and times', async () => {
    await make({ 'from/sub/a.txt': 'a', 'from/run.sh': '#!' });
    await chmod(place.path('from/run.sh'), 0o755);
    await chmod(place.path('from/sub'), 0o700);
    await symlink('sub', place.path('from/link'));
    await utimes(place.path('from/run.sh'), 5, 5);
    expect(await copy('from', 'x/y')).toBe(true);
    expect(await readdir(place.path('x/y'))).toEqual(['link', 'run.sh', 'sub']);
    expect(await readdir(place.path('x/y/sub'))).toEqual(['a.txt']);
    expect(await readlink(place.path('x/y/link'))).toBe('sub');
    const run = await stat(place.path('x/y/run.sh'));
    expect([run.mode & 0o777, run.mtimeMs]).toEqual([0o755, 5000]);
    expect((await stat(place.path('x/y/sub'))).mode & 0o777).toBe(0o700);
  });

  it('refuses a link that leads nowhere as target, or goes through it', async () => {
    await make({ 'from/a': 'a' });
    await symlink('nowhere', place.path('link'));
    expect((await failureOf(copy('from', 'link'))).message).toBe(
      `There is already something at "${place.path('link')}".`,
    );
    await symlink('from/new', place.path('into'));
    expect((await failureOf(copy('from', 'into/below'))).facts.code).toBe('SVC85020');
  });

  it('merges into what is there and replaces a file by a link', async () => {
    await make({ 'from/a': 'new', 'from/sub/b': 'b', 'to/a': 'old', 'to/sub/c': 'c', 'to/l': 'a file' });
    await symlink('a', place.path('from/l'));
    await copy('from', 'to');
    expect(await names('to')).toEqual(['a', 'l', 'sub', 'sub/b', 'sub/c']);
    expect(await readlink(place.path('to/l'))).toBe('a');
  });

  it('copies names that are not UTF-8', async () => {
    await mkdir(place.path('from'));
    await writeFile(Buffer.concat([Buffer.from(`${place.path('from')}/`), Buffer.from([0xe4, 0x2e])]), 'latin');
    await copy('from', 'to');
    const [copied] = await readdir(Buffer.from(place.path('to')), { encoding: 'buffer' });
    expect(copied?.toString('hex')).toBe('e42e');
  });

  it.each([
    ['a missing source', 'none', 'to', 'SVC85001'],
    ['a file as target', 'from', 'file', 'SVC85008'],
    ['a target inside that is not there yet', 'from', 'from/new/deep', 'SVC85020'],
  ])('refuses %s', async (_what, from, to, code) => {
    await make({ 'from/a': '', file: '' });
    expect((await failureOf(copy(from, to))).facts.code).toBe(code);
    expect(await names('from')).toEqual(['a']);
  });

  it('goes through a folder that links would make endless', async () => {
    await make({ 'from/a': '' });
    await symlink('.', place.path('from/loop'));
    await copy('from', 'to');
    expect(await readdir(place.path('to'))).toEqual(['a', 'loop']);
  });
});

describe('FA_remove_dir_tree', () => {
  const remove = (path: string): Promise<unknown> => call(FA_remove_dir_tree, place, { dir_path: path });

  it('removes all that is below, links themselves, and follows none', async () => {
    await make({ 'tree/a/b/c': '', 'outside/kept': 'k' });
    await symlink('../../outside', place.path('tree/a/link'));
    execFileSync('mkfifo', [place.path('tree/pipe')]);
    expect(await remove(place.path('tree'))).toBe(true);
    expect(await names()).toEqual(['outside', 'outside/kept']);
  });

  it('leaves files, links and what is missing', async () => {
    await make({ 'tree/a': '', file: '' });
    await symlink('tree', place.path('link'));
    for (const name of ['file', 'link', 'link/', 'none']) expect(await remove(place.path(name))).toBe(false);
    await expect(remove(`${place.path('link')}/`)).resolves.toBe(false);
    expect(existsSync(place.path('tree/a'))).toBe(true);
  });

  it('refuses what holds the home, the working or the project folder, and the root', async () => {
    await place.close();
    place = await openPlace();
    const home = place.path('home/me');
    await mkdir(home, { recursive: true });
    await symlink('home', place.path('link'));
    const withHome = {
      ...place,
      context: {
        ...place.context,
        environment: { ...place.context.environment, get: (key: string) => (key === 'HOME' ? home : undefined) },
      },
    };
    const codes = [];
    for (const path of [
      '/',
      '.',
      '..',
      process.cwd(),
      home,
      place.path('home'),
      place.path('link/me'),
      dirname(process.cwd()),
    ]) {
      codes.push((await failureOf(call(FA_remove_dir_tree, withHome, { dir_path: path }))).facts.code);
    }
    expect(new Set(codes)).toEqual(new Set(['SVC85021']));
    expect(existsSync(home)).toBe(true);
  });

  it('knows the home of whoever runs it where the environment is closed, or names another', async () => {
    const home = place.path('home');
    await mkdir(home);
    for (const [env, isClosed] of [
      [{ HOME: home }, true],
      [{}, false],
      [{ HOME: place.path('other') }, false],
    ] as const) {
      const host = { ...nodeHost(), env, home };
      await using unit = await session({ host, settings: { environment_closed: isClosed } });
      await expect(unit.call('FA_remove_dir_tree', { dir_path: home })).rejects.toMatchObject({
        facts: { code: 'SVC85021' },
      });
    }
    expect(existsSync(home)).toBe(true);
    expect(nodeHost().home).toBe(homedir());
  });
});

describe('FA_rename_dir', () => {
  const rename = (from: string, to: string): Promise<unknown> =>
    call(FA_rename_dir, place, {
      origin_dir_path: place.path(from),
      target_dir: to.startsWith('/') ? to : place.path(to),
    });

  it('renames, also over an empty folder', async () => {
    await make({ 'a/x': '' });
    await mkdir(place.path('b'));
    expect(await rename('a', 'b')).toBe(true);
    expect(await names()).toEqual(['b', 'b/x']);
  });

  it('renames a link to a folder over an empty folder', async () => {
    await make({ 'a/x': '' });
    await symlink('a', place.path('link'));
    await mkdir(place.path('b'));
    expect(await rename('link', 'b')).toBe(true);
    expect(await readlink(place.path('b'))).toBe('a');
  });

  it('names the folder that is missing', async () => {
    await make({ 'a/x': '' });
    expect((await failureOf(rename('a', 'none/b'))).options.cause).toMatchObject({
      message: `There is no folder "${place.path('none')}".`,
    });
  });

  it('moves to another file system, with links, modes and times', async () => {
    const other = await openPlace({ base: '/dev/shm' });
    try {
      await make({ 'a/sub/x': 'x' });
      await symlink('sub', place.path('a/link'));
      await utimes(place.path('a'), 7, 7);
      expect((await stat(place.root)).dev).not.toBe((await stat(other.root)).dev);
      expect(await rename('a', other.path('b'))).toBe(true);
      expect(await names()).toEqual([]);
      expect(await readdir(other.path('b'))).toEqual(['link', 'sub']);
      expect(await readlink(other.path('b/link'))).toBe('sub');
      expect(await readdir(other.path('b/sub'))).toEqual(['x']);
      expect((await stat(other.path('b'))).mtimeMs).toBe(7000);
    } finally {
      await other.close();
    }
  });

  it('copies nothing where the system refuses for another reason', async () => {
    await make({ 'a/x': '' });
    const { files } = place.context;
    const refused = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
    const denied: typeof files.rename = async (from, to, options) => {
      if (from === place.path('a')) throw refused;
      await files.rename(from, to, options);
    };
    Object.assign(place.context, { files: { ...files, rename: denied } });
    expect((await failureOf(rename('a', 'b'))).options.cause).toBe(refused);
    expect(await names()).toEqual(['a', 'a/x']);
  });

  it.each([
    ['a missing folder', 'none', 'b', 'SVC85001'],
    ['a folder with content', 'a', 'full', 'SVC85011'],
    ['a file in the way', 'a', 'file', 'SVC85010'],
    ['a place inside itself', 'a', 'a/b', 'SVC85020'],
    ['its own name', 'a', 'a/../a', 'SVC85016'],
    ['a missing parent', 'a', 'none/b', 'SVC85018'],
  ])('refuses %s', async (_what, from, to, code) => {
    await make({ 'a/x': '', 'full/y': '', file: '' });
    expect((await failureOf(rename(from, to))).facts.code).toBe(code);
    expect(existsSync(place.path('a/x'))).toBe(true);
  });
});

describe('FA_list_dir', () => {
  const list = (options: { pattern?: string; include_hidden?: boolean } = {}): Promise<readonly { name: string }[]> =>
    call(FA_list_dir, place, { dir_path: place.root, pattern: '*', include_hidden: true, ...options });

  it('describes entries sorted by name, links as links', async () => {
    await make({ 'b.txt': 'abc', '.hidden': '', 'Z/x': '' });
    await symlink('b.txt', place.path('link'));
    await utimes(place.path('b.txt'), 0, 1.5);
    execFileSync('mkfifo', [place.path('pipe')]);
    const entries = await list();
    expect(entries.map(({ name }) => name)).toEqual(['.hidden', 'Z', 'b.txt', 'link', 'pipe']);
    expect(entries[2]).toEqual({
      name: 'b.txt',
      path: place.path('b.txt'),
      type: 'file',
      size: 3,
      modified_at: '1970-01-01T00:00:01.500Z',
    });
    expect(
      entries.slice(1).map((entry) => [(entry as { type?: string }).type, (entry as { size?: number }).size]),
    ).toEqual([
      ['dir', null],
      ['file', 3],
      ['symlink', null],
      ['other', null],
    ]);
    expect((await list({ include_hidden: false })).length).toBe(4);
    expect((await list({ pattern: '?.txt' })).map(({ name }) => name)).toEqual(['b.txt']);
  });

  it('refuses a missing folder', async () => {
    expect(
      (await failureOf(call(FA_list_dir, place, { dir_path: place.path('no'), pattern: '*', include_hidden: true })))
        .facts.name,
    ).toBe('DirNotExistsException');
  });
});

describe('a glob', () => {
  it.each([
    ['*', '.x', true],
    ['*.txt', 'a.txt', true],
    ['*.txt', 'a.txt.gz', false],
    ['a?c', 'a😀c', true],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[]]x', ']x', true],
    ['[ab', '[ab', true],
    ['**', '', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-b-b-', false],
    ['aa*aa', 'aaa', false],
    ['aa*aa', 'aaaa', true],
    ['A', 'a', false],
  ])('%s on %s: %s', (pattern, name, expected) => {
    expect(matchesGlob(name, pattern)).toBe(expected);
  });

  it('takes no long time for what makes others take forever', () => {
    expect(matchesGlob('a'.repeat(255), `${'*a'.repeat(100)}b`)).toBe(false);
  });

  it.skipIf(lacks('python3'))('agrees with fnmatch', () => {
    const pieces = ['a', 'b', '*', '?', '[ab]', '[!a]', '[', ']', '.'];
    const cases: [string, string][] = [];
    for (let index = 0; index < 800; index += 1) {
      const pick = (modulo: number, salt: number): number =>
        (Math.imul(index + 1, 2654435761) >>> (salt % 13)) % modulo;
      const pattern = [1, 4, 7].map((salt) => pieces[pick(pieces.length, salt)]).join('');
      const name = [2, 5, 8, 11]
        .map((salt) => ['a', 'b', '.', ']', '-'][pick(5, salt)])
        .join('')
        .slice(0, pick(5, 3));
      cases.push([name, pattern]);
    }
    const script =
      'import fnmatch,json,sys\nprint(json.dumps([fnmatch.fnmatchcase(n,p) for n,p in json.load(sys.stdin)]))';
    const expected = JSON.parse(
      execFileSync('python3', ['-c', script], { input: JSON.stringify(cases), encoding: 'utf8' }),
    ) as boolean[];
    const differing = cases.filter(([name, pattern], index) => matchesGlob(name, pattern) !== expected[index]);
    expect(differing).toEqual([]);
  });
});

describe('FA_discover_files', () => {
  const discover = (dir_path: string | null, default_search_file_extension = '.json'): Promise<readonly string[]> =>
    call(FA_discover_files, place, { dir_path, default_search_file_extension });

  it('finds by the end of the name, ignoring case, sorted, through all folders', async () => {
    await make({ 'b.JSON': '', 'a/z.json': '', 'a.json': '', 'x.tar.gz': '', 'no.txt': '' });
    await symlink('a.json', place.path('link.json'));
    await symlink('a', place.path('dir.json'));
    await symlink('nowhere', place.path('dangling.json'));
    await symlink('circle.json', place.path('circle.json'));
    expect(await discover(place.root)).toEqual(
      ['a.json', 'a/z.json', 'b.JSON', 'link.json'].map((name) => place.path(name)),
    );
    expect(await discover(place.root, 'tar.gz')).toEqual([place.path('x.tar.gz')]);
  });

  it('refuses a missing folder, and tells what is in its place', async () => {
    const missing = await failureOf(discover(place.path('no')));
    expect([missing.facts.code, missing.options]).toEqual(['SVC85001', {}]);
    await make({ file: '' });
    await symlink('nowhere', place.path('dangling'));
    expect((await failureOf(discover(place.path('file')))).options).toEqual({ expected: 'a folder', actual: 'a file' });
    expect((await failureOf(discover(place.path('dangling')))).options).toEqual({
      expected: 'a folder',
      actual: 'a symbolic link that leads nowhere',
    });
  });
});
