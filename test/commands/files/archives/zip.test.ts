import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, readdir, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { crc32 } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  FA_read_zip_file,
  FA_set_zip_password,
  FA_unzip_all,
  FA_unzip_file,
  FA_zip_dir,
  FA_zip_file,
  FA_zip_file_info,
  FA_zip_info,
} from '#stdlib/files/archives/zip/zip.ts';

import { call, failureOf, openPlace, type Files, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const make = (files: Files): Promise<void> => place.make(files);

const zipDir = (from: string, to: string): Promise<string> =>
  call(FA_zip_dir, place, { dir_we_want_to_zip: place.path(from), zip_name: place.path(to), progress_name: null });
const unzipAll = (
  archive: string,
  to: string,
  options: { members?: string[]; password?: string } = {},
): Promise<readonly string[]> =>
  call(FA_unzip_all, place, {
    zip_file_path: place.path(archive),
    extract_member: options.members ?? null,
    extract_path: place.path(to),
    password: options.password ?? null,
  });
const names = (archive: string): Promise<readonly string[]> =>
  call(FA_zip_file_info, place, { zip_file_path: place.path(archive) });
const python = (script: string, ...args: string[]): string =>
  execFileSync('python3', ['-c', script, ...args], { encoding: 'utf8' });

/** A folder with the odd corners of names and content. */
async function makeOdd(): Promise<void> {
  await make({
    'in/empty.txt': '',
    'in/grüße 😀.txt': 'ä',
    'in/sub/deep/run.sh': '#!/bin/sh\n',
    'in/big.bin': new Uint8Array(3_000_000).fill(7),
    [`in/${'n'.repeat(251)}.txt`]: 'long',
  });
  await mkdir(place.path('in/hollow'));
  await chmod(place.path('in/sub/deep/run.sh'), 0o755);
  await utimes(place.path('in/empty.txt'), 1_600_000_001, 1_600_000_001);
}

describe('FA_zip_dir', () => {
  it.skipIf(lacks('unzip', 'python3', '7z'))(
    'makes what unzip, Python and 7z can read, with times and permission bits',
    async () => {
      await makeOdd();
      expect(await zipDir('in', 'made/out')).toBe(place.path('made/out.zip'));
      const archive = place.path('made/out.zip');
      expect(execFileSync('unzip', ['-t', archive], { encoding: 'utf8' })).toContain('No errors detected');
      expect(python('import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1]); print(z.testzip())', archive)).toBe('None\n');
      expect(execFileSync('7z', ['t', archive], { encoding: 'utf8' })).toContain('Everything is Ok');
      execFileSync('unzip', ['-q', archive, '-d', place.path('theirs')]);
      expect(execFileSync('diff', ['-r', place.path('in'), place.path('theirs')], { encoding: 'utf8' })).toBe('');
      expect((await stat(place.path('theirs/sub/deep/run.sh'))).mode & 0o777).toBe(0o755);
      expect((await stat(place.path('theirs/empty.txt'))).mtimeMs).toBe(1_600_000_001_000);
    },
  );

  it.skipIf(lacks('unzip', 'python3'))('packs pieces side by side without a byte lost at the seams', async () => {
    const noise = new Uint8Array(3 * 2 ** 20 + 1).map((_, index) => Math.imul(index, 2_654_435_761) >>> 21);
    const sizes = [2048, 2049, 262_144, 262_145, 2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 2 * 2 ** 20, 3 * 2 ** 20 + 1];
    await make(Object.fromEntries(sizes.map((size) => [`in/${size}`, noise.subarray(0, size)])));
    await make({ 'in/text': 'the same line again\n'.repeat(100_000) });
    await zipDir('in', 'o');
    execFileSync('unzip', ['-q', place.path('o.zip'), '-d', place.path('theirs')]);
    expect(execFileSync('diff', ['-r', place.path('in'), place.path('theirs')], { encoding: 'utf8' })).toBe('');
    expect(
      python(
        'import sys,zipfile\nz=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.getinfo("text").compress_size < 20000)',
        place.path('o.zip'),
      ),
    ).toBe('None True\n');
    await unzipAll('o.zip', 'ours');
    expect(execFileSync('diff', ['-r', place.path('in'), place.path('ours')], { encoding: 'utf8' })).toBe('');
  });

  it('lists members sorted, folders with a slash, and gives the same bytes twice', async () => {
    await makeOdd();
    await zipDir('in', 'a.zip');
    await zipDir('in', 'b.ZIP');
    expect(await names('a.zip')).toEqual([
      'big.bin',
      'empty.txt',
      'grüße 😀.txt',
      'hollow/',
      `${'n'.repeat(251)}.txt`,
      'sub/',
      'sub/deep/',
      'sub/deep/run.sh',
    ]);
    expect((await readFile(place.path('a.zip'))).equals(await readFile(place.path('b.ZIP')))).toBe(true);
  });

  it.skipIf(lacks('python3'))('leaves itself out, and packs an empty folder', async () => {
    await mkdir(place.path('in'));
    await zipDir('in', 'in/self');
    await zipDir('in', 'in/self');
    expect(await names('in/self.zip')).toEqual([]);
    expect(
      python('import sys,zipfile\nprint(zipfile.ZipFile(sys.argv[1]).namelist())', place.path('in/self.zip')),
    ).toBe('[]\n');
  });

  it('stores the content that links lead to, and refuses links that lead nowhere', async () => {
    await make({ 'in/a.txt': 'a', 'other/b.txt': 'b' });
    await symlink('a.txt', place.path('in/link'));
    await symlink('../other', place.path('in/to-dir'));
    await zipDir('in', 'out');
    expect(await names('out.zip')).toEqual(['a.txt', 'link', 'to-dir/']);
    await symlink('nowhere', place.path('in/dangling'));
    const { facts, options } = await failureOf(zipDir('in', 'out'));
    expect([facts.code, options.actual]).toEqual(['SVC85000', 'a symbolic link that leads nowhere']);
    expect(await names('out.zip')).toEqual(['a.txt', 'link', 'to-dir/']);
  });

  it('refuses pipes, names that are no text, and a missing folder, and leaves nothing behind', async () => {
    await make({ 'in/a': '' });
    execFileSync('mkfifo', [place.path('in/pipe')]);
    expect((await failureOf(zipDir('in', 'out'))).facts.code).toBe('SVC85022');
    execFileSync('rm', [place.path('in/pipe')]);
    await writeFile(Buffer.concat([Buffer.from(`${place.path('in')}/`), Buffer.from([0xff])]), '');
    expect((await failureOf(zipDir('in', 'out'))).facts.code).toBe('SVC85043');
    expect((await failureOf(zipDir('none', 'out'))).facts.code).toBe('SVC85001');
    expect(await readdir(place.root)).toEqual(['in']);
  });

  it.skipIf(lacks('unzip'))(
    'streams a large sparse file',
    async () => {
      await make({ 'in/big': 'x' });
      await truncate(place.path('in/big'), 100 * 1024 * 1024);
      await zipDir('in', 'out');
      expect((await stat(place.path('out.zip'))).size).toBeLessThan(200_000);
      const failure = await failureOf(unzipAll('out.zip', 'to'));
      expect(failure.facts.code).toBe('SVC85036');
      execFileSync('unzip', ['-tq', place.path('out.zip')]);
    },
    30_000,
  );
});

describe('FA_zip_file', () => {
  const zipFile = (to: string, ...files: string[]): Promise<unknown> =>
    call(FA_zip_file, place, {
      zip_file_path: place.path(to),
      file: files.length === 1 ? place.path(files[0] ?? '') : files.map((file) => place.path(file)),
      progress_name: null,
    });

  it('packs base names in the order of the list, afresh each time', async () => {
    await make({ 'x/b.txt': 'b', 'a.txt': 'a'.repeat(1000) });
    await zipFile('o.zip', 'x/b.txt', 'a.txt');
    expect(await names('o.zip')).toEqual(['b.txt', 'a.txt']);
    await zipFile('o.zip', 'a.txt');
    const [info] = await call(FA_zip_info, place, { zip_file_path: place.path('o.zip') });
    expect(info).toMatchObject({
      filename: 'a.txt',
      file_size: 1000,
      is_dir: false,
      encrypted: false,
      crc: crc32('a'.repeat(1000)),
    });
    expect(info?.compress_size).toBeLessThan(100);
    expect(info?.modified_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
  });

  it.each([
    ['equal base names', ['x/a.txt', 'y/a.txt'], 'SVC85023'],
    ['a missing file', ['none', 'x/a.txt'], 'SVC85000'],
    ['a folder', ['x'], 'SVC85000'],
    ['itself', ['o.zip'], 'SVC85016'],
  ])('refuses %s and leaves the archive as it was', async (_what, files, code) => {
    await make({ 'x/a.txt': '', 'y/a.txt': '', 'o.zip': 'old' });
    expect((await failureOf(zipFile('o.zip', ...files))).facts.code).toBe(code);
    expect(await readFile(place.path('o.zip'), 'utf8')).toBe('old');
  });
});

describe('unpacking', () => {
  it('brings back what was packed', async () => {
    await makeOdd();
    await zipDir('in', 'out');
    const written = await unzipAll('out.zip', 'to');
    expect(written).toContain(place.path('to/sub/deep/run.sh'));
    expect(execFileSync('diff', ['-r', place.path('in'), place.path('to')], { encoding: 'utf8' })).toBe('');
    expect((await stat(place.path('to/sub/deep/run.sh'))).mode & 0o777).toBe(0o755);
    expect((await stat(place.path('to/empty.txt'))).mtimeMs).toBe(1_600_000_001_000);
  });

  it.skipIf(lacks('zip', 'python3')).each([
    ['zip', (): unknown => execFileSync('zip', ['-qry', place.path('o.zip'), '.'], { cwd: place.path('in') })],
    [
      'Python',
      (): unknown =>
        python(
          'import shutil,sys\nshutil.make_archive(sys.argv[1][:-4],"zip",sys.argv[2])',
          place.path('o.zip'),
          place.path('in'),
        ),
    ],
    [
      'Python without compression',
      (): unknown =>
        python(
          'import os,sys,zipfile\nos.chdir(sys.argv[2])\nz=zipfile.ZipFile(sys.argv[1],"w")\nfor d,_,fs in os.walk("."):\n  z.write(d)\n  for f in fs: z.write(os.path.join(d,f))\nz.close()',
          place.path('o.zip'),
          place.path('in'),
        ),
    ],
  ])('reads archives of %s', async (_what, pack) => {
    await makeOdd();
    pack();
    await unzipAll('o.zip', 'to');
    expect(execFileSync('diff', ['-r', place.path('in'), place.path('to')], { encoding: 'utf8' })).toBe('');
  });

  it.skipIf(lacks('7z'))('reads archives of 7z, plain and with AES', async () => {
    await makeOdd();
    execFileSync('7z', ['a', '-bd', place.path('plain.zip'), '.'], { cwd: place.path('in') });
    execFileSync('7z', ['a', '-bd', '-ppass word', '-mem=AES256', place.path('aes.zip'), '.'], {
      cwd: place.path('in'),
    });
    await unzipAll('plain.zip', 'one');
    expect(execFileSync('diff', ['-r', place.path('in'), place.path('one')], { encoding: 'utf8' })).toBe('');
    expect((await failureOf(unzipAll('aes.zip', 'two'))).facts.code).toBe('SVC85032');
    expect((await failureOf(unzipAll('aes.zip', 'two', { password: 'no' }))).facts.code).toBe('SVC85033');
    expect(existsSync(place.path('two'))).toBe(false);
    await unzipAll('aes.zip', 'two', { password: 'pass word' });
    expect(execFileSync('diff', ['-r', place.path('in'), place.path('two')], { encoding: 'utf8' })).toBe('');
  });

  it.skipIf(lacks('zip'))('reads classic encryption, with a password of its own or a remembered one', async () => {
    await make({ 's.txt': 'secret content' });
    execFileSync('zip', ['-qj', '-P', 'open sesame', place.path('s.zip'), place.path('s.txt')]);
    const read = (password: string | null): Promise<string> =>
      call(FA_read_zip_file, place, { zip_file_path: place.path('s.zip'), file_name: 's.txt', password });
    expect((await failureOf(read(null))).facts.code).toBe('SVC85032');
    expect((await failureOf(read('wrong'))).facts.code).toBe('SVC85033');
    expect(Buffer.from(await read('open sesame'), 'base64').toString()).toBe('secret content');
    await call(FA_set_zip_password, place, {
      zip_file_path: place.path('x/../s.zip').replace('x/../', ''),
      password: 'open sesame',
    });
    expect(Buffer.from(await read(null), 'base64').toString()).toBe('secret content');
    expect(place.masked).toEqual(['open sesame']);
    const [info] = await call(FA_zip_info, place, { zip_file_path: place.path('s.zip') });
    expect(info?.encrypted).toBe(true);
  });

  it('unpacks one member, a subset, and a folder alone', async () => {
    await make({ 'in/a/b.txt': 'b', 'in/c.txt': 'c' });
    await zipDir('in', 'o');
    const one = (extract_member: string): Promise<string> =>
      call(FA_unzip_file, place, {
        zip_file_path: place.path('o.zip'),
        extract_member,
        extract_path: place.path('to'),
        password: null,
      });
    expect(await one('a/b.txt')).toBe(place.path('to/a/b.txt'));
    expect(await one('a/')).toBe(place.path('to/a'));
    expect(await unzipAll('o.zip', 'sub', { members: ['c.txt'] })).toEqual([place.path('sub/c.txt')]);
    expect((await failureOf(one('B.txt'))).facts.code).toBe('SVC85031');
    expect((await readdir(place.path('to'), { recursive: true })).sort()).toEqual(['a', 'a/b.txt']);
  });

  it('replaces files, keeps others, and leaves nothing beside them', async () => {
    await make({ 'in/a.txt': 'new', 'to/a.txt': 'old', 'to/b.txt': 'b' });
    await zipDir('in', 'o');
    await unzipAll('o.zip', 'to');
    expect((await readdir(place.path('to'))).sort()).toEqual(['a.txt', 'b.txt']);
    expect(await readFile(place.path('to/a.txt'), 'utf8')).toBe('new');
  });

  it.skipIf(lacks('python3'))('reads names in code page 437 and UTF-8 without the mark', async () => {
    python(
      'import sys,zipfile\nfor path,raw in ((sys.argv[1],"gr\\u00fc\\u00dfe.txt".encode("cp437")),(sys.argv[2],"gr\\u00fc\\u00dfe.txt".encode("utf-8"))):\n  z=zipfile.ZipFile(path,"w"); z.writestr("x"*len(raw),"1"); z.close()\n  d=open(path,"rb").read().replace(b"x"*len(raw),raw); open(path,"wb").write(d)',
      place.path('437.zip'),
      place.path('utf.zip'),
    );
    expect(await names('437.zip')).toEqual(['grüße.txt']);
    expect(await names('utf.zip')).toEqual(['grüße.txt']);
  });

  it('takes at most a limit into memory', async () => {
    await place.close();
    place = await openPlace({ limits: { archive_read_bytes: 10 } });
    await make({ 'in/a': '12345678901', 'in/b': '1234567890' });
    await zipDir('in', 'o');
    const read = (file_name: string): Promise<string> =>
      call(FA_read_zip_file, place, { zip_file_path: place.path('o.zip'), file_name, password: null });
    expect(Buffer.from(await read('b'), 'base64').toString()).toBe('1234567890');
    expect((await failureOf(read('a'))).facts.code).toBe('SVC85040');
  });
});
