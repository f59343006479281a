import { execFileSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  FA_copy_all_file_to_dir,
  FA_copy_file,
  FA_copy_specify_extension_file,
  FA_create_file,
  FA_remove_file,
  FA_rename_file,
} from '#stdlib/files/local/files/files.ts';

import { call, failureOf, openPlace, type Place } from '../call-here.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const text = (...parts: string[]): Promise<string> => readFile(place.path(...parts), 'utf8');
const create = (file_path: string, content = '', encoding = 'utf-8'): Promise<unknown> =>
  call(FA_create_file, place, { file_path, content, encoding });

/** Writes files by their names, with their names as content where none is given. */
async function make(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) await create(place.path(name), content);
}

describe('FA_create_file', () => {
  it('makes missing parents and keeps line feeds as they are', async () => {
    await create(place.path('a/b/c.txt'), 'one\r\ntwo\n');
    expect(await text('a/b/c.txt')).toBe('one\r\ntwo\n');
  });

  it('makes a file of no bytes', async () => {
    await create(place.path('empty'));
    expect((await stat(place.path('empty'))).size).toBe(0);
  });

  it('leaves nothing beside the file', async () => {
    await create(place.path('x.txt'), 'x'.repeat(300_000));
    expect(await readdir(place.root)).toEqual(['x.txt']);
  });

  it('keeps the permission bits of a file that is replaced', async () => {
    await writeFile(place.path('x'), 'old');
    await chmod(place.path('x'), 0o640);
    await create(place.path('x'), 'new');
    expect((await stat(place.path('x'))).mode & 0o777).toBe(0o640);
  });

  it('writes the file that a link names, and leaves the link', async () => {
    await writeFile(place.path('real'), 'old');
    await symlink('real', place.path('link'));
    await create(place.path('link'), 'new');
    expect(await readlink(place.path('link'))).toBe('real');
    expect(await text('real')).toBe('new');
  });

  it('writes into a pipe instead of putting a file in its place', async () => {
    execFileSync('mkfifo', [place.path('pipe')]);
    const reading = readFile(place.path('pipe'), 'utf8');
    await create(place.path('pipe'), 'through');
    expect(await reading).toBe('through');
    expect((await lstat(place.path('pipe'))).isFIFO()).toBe(true);
  });

  it('takes a name of 255 bytes and refuses one more', async () => {
    const name = 'ü'.repeat(127) + 'x';
    await create(place.path(name), 'long');
    expect(await text(name)).toBe('long');
    const failure = await failureOf(create(place.path(`${name}y`)));
    expect([failure.facts.code, failure.facts.class]).toEqual(['SVC85007', 'real']);
  });

  it.each([
    ['cp1252', 'Grüße €', '4772fcdf652080'],
    ['latin-1', 'äé', 'e4e9'],
    ['utf-8-sig', 'ä', 'efbbbfc3a4'],
    ['utf-16', 'a😀', 'fffe61003dd800de'],
    ['UTF_16_BE', 'a', '0061'],
    ['shift_jis', '日本', '93fa967b'],
    ['gb18030', '中😀', 'd6d09439fc36'],
  ])('writes %s', async (encoding, content, hex) => {
    await create(place.path('x'), content, encoding);
    expect((await readFile(place.path('x'))).toString('hex')).toBe(hex);
  });

  it.each([
    ['utf-9', 'a', 'SVC85026'],
    ['ascii', 'ä', 'SVC85027'],
    ['utf-8', 'a\ud800', 'SVC85027'],
  ])('refuses %s for %j before the target is touched', async (encoding, content, code) => {
    await writeFile(place.path('x'), 'old');
    const failure = await failureOf(create(place.path('x'), content, encoding));
    expect([failure.facts.code, failure.facts.name]).toEqual([code, 'ValidationException']);
    expect(await text('x')).toBe('old');
  });

  it.each([
    ['a folder in its place', async () => mkdir(place.path('x')), 'x', 'SVC85009'],
    ['a file among the parents', async () => writeFile(place.path('x'), ''), 'x/y', 'SVC85008'],
    ['a zero character', async () => undefined, 'x\0y', 'SVC85028'],
  ])('refuses %s', async (_what, prepare, name, code) => {
    await prepare();
    expect((await failureOf(create(place.path(name)))).facts.code).toBe(code);
  });
});

describe('FA_copy_file', () => {
  const copy = (source: string, target: string, copy_metadata = true): Promise<unknown> =>
    call(FA_copy_file, place, {
      source: place.path(source),
      target: place.path(target),
      copy_metadata,
      progress_name: null,
    });

  it('copies into a folder under its own name, with times and permission bits', async () => {
    await make({ 'a.txt': 'a' });
    await chmod(place.path('a.txt'), 0o751);
    await utimes(place.path('a.txt'), 1_000_000, 1_000_000);
    await mkdir(place.path('to'));
    expect(await copy('a.txt', 'to')).toBe(true);
    const made = await stat(place.path('to/a.txt'));
    expect([made.mode & 0o777, made.mtimeMs]).toEqual([0o751, 1_000_000_000]);
  });

  it('gives the copy a fresh time without metadata', async () => {
    await make({ 'a.txt': 'a' });
    await chmod(place.path('a.txt'), 0o751);
    await utimes(place.path('a.txt'), 1_000_000, 1_000_000);
    await copy('a.txt', 'b.txt', false);
    const made = await stat(place.path('b.txt'));
    expect(made.mode & 0o777).toBe(0o751);
    expect(Date.now() - made.mtimeMs).toBeLessThan(60_000);
  });

  it('follows a link', async () => {
    await make({ 'a.txt': 'a' });
    await symlink('a.txt', place.path('link'));
    await copy('link', 'b.txt');
    expect((await lstat(place.path('b.txt'))).isFile()).toBe(true);
  });

  it('names the folder that is missing', async () => {
    await make({ 'a.txt': 'a' });
    expect((await failureOf(copy('a.txt', 'none/b'))).options.cause).toMatchObject({
      message: `There is no folder "${place.path('none')}".`,
    });
  });

  it('copies a large sparse file', async () => {
    await make({ big: 'begin' });
    await truncate(place.path('big'), 100 * 1024 * 1024);
    await copy('big', 'copy');
    const made = await stat(place.path('copy'));
    expect(made.size).toBe(100 * 1024 * 1024);
    expect((await readFile(place.path('copy'))).subarray(0, 5).toString()).toBe('begin');
  }, 30_000);

  it.each([
    ['a missing file', 'none', 'b', 'SVC85000'],
    ['a folder', 'dir', 'b', 'SVC85000'],
    ['the same file by another way', 'a.txt', 'dir/../a.txt', 'SVC85016'],
    ['the same file through a link', 'a.txt', 'link', 'SVC85016'],
    ['a folder that is missing', 'a.txt', 'none/b', 'SVC85017'],
  ])('refuses %s', async (_what, source, target, code) => {
    await make({ 'a.txt': 'a', 'dir/x': '' });
    await symlink('a.txt', place.path('link'));
    const failure = await failureOf(copy(source, target));
    expect(failure.facts.code).toBe(code);
    expect(failure.message).toContain(place.path(source));
    expect(await text('a.txt')).toBe('a');
  });
});

describe('FA_rename_file', () => {
  const rename = (target_name: string, file_extension: string | null = null): Promise<unknown> =>
    call(FA_rename_file, place, { origin_file_path: place.root, target_name, file_extension });

  it('numbers in an order where 2 comes before 10, and changes nothing the second time', async () => {
    await make(Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`img${index}.png`, String(index)])));
    await make({ 'sub/z.png': 'z', 'readme.txt': 'r' });
    expect(await rename('p', '.PNG')).toBe(true);
    expect(await text('p_2.png')).toBe('2');
    expect(await text('p_11.png')).toBe('11');
    expect(await text('sub/p_12.png')).toBe('z');
    expect(await text('readme.txt')).toBe('r');
    const before = await readdir(place.root, { recursive: true });
    await rename('p', 'png');
    expect(await readdir(place.root, { recursive: true })).toEqual(before);
    expect(await text('p_11.png')).toBe('11');
  });

  it('gives names to one another that belong to files which are renamed too', async () => {
    await make({ 'a.txt': 'was a', 'x_0.txt': 'was 0', 'x_1.txt': 'was 1' });
    await rename('x');
    expect([await text('x_0.txt'), await text('x_1.txt'), await text('x_2.txt')]).toEqual(['was a', 'was 0', 'was 1']);
    expect(await readdir(place.root)).toEqual(['x_0.txt', 'x_1.txt', 'x_2.txt']);
  });

  it('keeps a double extension, none, and a leading dot', async () => {
    await make({ 'a.tar.gz': '', b: '', '.c': '' });
    await rename('x', 'tar.gz');
    await rename('y');
    expect((await readdir(place.root)).sort()).toEqual(['y_0', 'y_1', 'y_2.gz']);
  });

  it('renames links themselves, also those that lead nowhere or in a circle', async () => {
    await mkdir(place.path('p/folder'), { recursive: true });
    for (const [name, text] of [
      ['a', 'folder'],
      ['b', 'nowhere'],
      ['c', 'c'],
    ] as const)
      await symlink(text, place.path('p', name));
    await rename('n');
    expect((await readdir(place.path('p'))).sort()).toEqual(['a', 'folder', 'n_0', 'n_1']);
  });

  it('gives old names back when it is stopped on the way', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `x_${index + 1}.txt`);
    await make(Object.fromEntries(names.map((name) => [name, name])));
    const controller = new AbortController();
    let count = 0;
    const counting = {
      ...place.context.files,
      rename: async (from: string, to: string) => {
        await place.context.files.rename(from, to);
        count += 1;
        if (count === 7) controller.abort(new Error('stop'));
      },
    };
    const stopped = { ...place, context: { ...place.context, files: counting, signal: controller.signal } };
    await expect(
      call(FA_rename_file, stopped, { origin_file_path: place.root, target_name: 'x', file_extension: null }),
    ).rejects.toThrow('stop');
    expect(count).toBe(14);
    expect((await readdir(place.root)).sort()).toEqual([...names].sort());
    for (const name of names) expect(await text(name)).toBe(name);
  });

  it('refuses a name that another file has, and renames nothing', async () => {
    await make({ 'a.png': '', 'b.png': '' });
    await mkdir(place.path('x_1.png'));
    expect((await failureOf(rename('x', 'png'))).facts.code).toBe('SVC85024');
    expect((await readdir(place.root)).sort()).toEqual(['a.png', 'b.png', 'x_1.png']);
  });

  it('refuses a stem that is a path', async () => {
    for (const stem of ['a/b', 'a\\b']) expect((await failureOf(rename(stem))).facts.code).toBe('SVC85025');
  });
});

describe('FA_remove_file', () => {
  const remove = (name: string): Promise<unknown> => call(FA_remove_file, place, { file_path: place.path(name) });

  it('removes files, links and links that lead nowhere, and nothing else', async () => {
    await make({ file: 'x', kept: 'k', 'dir/in': '' });
    await symlink('kept', place.path('link'));
    await symlink('nowhere', place.path('dangling'));
    await symlink('circle', place.path('circle'));
    await symlink('dir', place.path('to-dir'));
    execFileSync('mkfifo', [place.path('pipe')]);
    const names = ['file', 'link', 'dangling', 'circle', 'to-dir', 'dir', 'pipe', 'missing', 'kept/below'];
    const answers = [];
    for (const name of names) answers.push(await remove(name));
    expect(answers).toEqual([true, true, true, true, false, false, false, false, false]);
    expect((await readdir(place.root)).sort()).toEqual(['dir', 'kept', 'pipe', 'to-dir']);
  });

  it('removes a file whose name is not UTF-8', async () => {
    await writeFile(Buffer.concat([Buffer.from(`${place.root}/`), Buffer.from([0x61, 0xff])]), '');
    const [entry] = await place.context.files.list(place.root);
    expect(entry?.name).toBe('a\udcff');
    expect(await remove('a\udcff')).toBe(true);
    expect(await readdir(place.root)).toEqual([]);
  });
});

describe('FA_copy_all_file_to_dir', () => {
  const copyAll = (source: string, target: string): Promise<unknown> =>
    call(FA_copy_all_file_to_dir, place, { source_dir: place.path(source), target_dir: place.path(target) });

  it('copies and keeps the source, links as links, other files as they are', async () => {
    await make({ 'from/a.txt': 'new', 'from/sub/b.txt': 'b', 'to/a.txt': 'old', 'to/c.txt': 'c', outside: 'o' });
    await symlink('../outside', place.path('from/link'));
    await symlink('nowhere', place.path('from/dangling'));
    await utimes(place.path('from/sub'), 1_000_000, 1_000_000);
    expect(await copyAll('from', 'to')).toBe(true);
    expect((await readdir(place.path('to'), { recursive: true })).sort()).toEqual([
      'a.txt',
      'c.txt',
      'dangling',
      'link',
      'sub',
      'sub/b.txt',
    ]);
    expect(await text('to/a.txt')).toBe('new');
    expect(await readlink(place.path('to/link'))).toBe('../outside');
    expect((await stat(place.path('to/sub'))).mtimeMs).toBe(1_000_000_000);
    expect(await text('from/sub/b.txt')).toBe('b');
  });

  it('writes through no link of the target', async () => {
    await make({ 'from/a.txt': 'new', outside: 'o', 'to/x': '' });
    await symlink('../outside', place.path('to/a.txt'));
    await copyAll('from', 'to');
    expect(await text('outside')).toBe('o');
    expect((await lstat(place.path('to/a.txt'))).isFile()).toBe(true);
  });

  it.each([
    ['a missing source', 'none', 'to', 'SVC85001'],
    ['a missing target', 'from', 'none', 'SVC85001'],
    ['a target inside', 'from', 'from/sub', 'SVC85020'],
    ['the folder itself', 'from', 'from/../from', 'SVC85016'],
    ['a target inside through a link', 'from', 'link', 'SVC85020'],
  ])('refuses %s', async (_what, source, target, code) => {
    await make({ 'from/sub/a': '', 'to/x': '' });
    await symlink('from/sub', place.path('link'));
    expect((await failureOf(copyAll(source, target))).facts.code).toBe(code);
  });

  it('refuses a pipe before anything is written, and a file in the place of a folder', async () => {
    await make({ 'from/a': '', 'from/sub/b': '', 'to/x': '' });
    execFileSync('mkfifo', [place.path('from/z')]);
    expect((await failureOf(copyAll('from', 'to'))).facts.code).toBe('SVC85022');
    expect(await readdir(place.path('to'))).toEqual(['x']);
    execFileSync('rm', [place.path('from/z')]);
    await make({ 'to/sub': 'a file' });
    const failure = await failureOf(copyAll('from', 'to'));
    expect([failure.facts.code, (failure.cause as Error).name]).toEqual(['SVC85017', 'not-a-folder']);
  });

  it('stops when it is cancelled', async () => {
    await place.close();
    place = await openPlace({ signal: AbortSignal.abort(new Error('stop')) });
    await mkdir(place.path('from'));
    await writeFile(place.path('from/a'), '');
    await mkdir(place.path('to'));
    await expect(copyAll('from', 'to')).rejects.toThrow('stop');
    expect(await readdir(place.path('to'))).toEqual([]);
  });
});

describe('FA_copy_specify_extension_file', () => {
  const collect = (target: string, target_extension = 'txt', root = ''): Promise<unknown> =>
    call(FA_copy_specify_extension_file, place, {
      file_dir_path: place.path(root),
      target_extension,
      target_path: place.path(target),
      copy_metadata: true,
    });

  it('makes the folder, flattens, and counts; a second run does the same', async () => {
    await make({ 'a.txt': 'a', 'sub/B.TXT': 'b', 'sub/c.md': '', 'sub/deep/d.txt': 'd' });
    expect(await collect('out/here')).toBe(3);
    expect((await readdir(place.path('out/here'))).sort()).toEqual(['B.TXT', 'a.txt', 'd.txt']);
    expect(await collect('out/here', '.txt')).toBe(3);
    expect(await collect('out/none', 'nope')).toBe(0);
  });

  it('passes over links that lead nowhere or in a circle', async () => {
    await make({ 'a.txt': 'a' });
    await symlink('nowhere', place.path('b.txt'));
    await symlink('c.txt', place.path('c.txt'));
    expect(await collect('out')).toBe(1);
  });

  it('refuses two files that would become one, before anything is written', async () => {
    await make({ 'x/Note.txt': '', 'y/note.txt': '' });
    const failure = await failureOf(collect('out'));
    expect(failure.facts.code).toBe('SVC85023');
    expect(failure.message).toContain(join('x', 'Note.txt'));
    expect((await readdir(place.root)).sort()).toEqual(['x', 'y']);
  });

  it('refuses a file as target and a missing root', async () => {
    await make({ 'a.txt': '' });
    expect((await failureOf(collect('a.txt'))).facts.code).toBe('SVC85008');
    expect((await failureOf(collect('out', 'txt', 'none'))).facts.code).toBe('SVC85001');
  });
});
