import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  link,
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
import { existsSync } from 'node:fs';
import { zstdCompressSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_create_tar, FA_extract_tar } from '#stdlib/files/archives/tar/tar.ts';

import { call, failureOf, openPlace, type Files, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';
import { paxOf, rawTar } from './raw-tar.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const make = (files: Files): Promise<void> => place.make(files);

const pack = (from: string, to: string, compression: string | null = 'none'): Promise<string> =>
  call(FA_create_tar, place, { source: place.path(from), target: place.path(to), compression, progress_name: null });
const unpack = (archive: string, to: string): Promise<readonly string[]> =>
  call(FA_extract_tar, place, { source: place.path(archive), target_dir: place.path(to), progress_name: null });
const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', cwd: place.root });
const python = (script: string, ...args: string[]): string => run('python3', '-c', script, ...args);

const LONG = 'n'.repeat(251);
const RAW = Buffer.from([0x72, 0x61, 0x77, 0xff, 0xfe]);

/** A folder with the odd corners of names, kinds and content. */
async function makeOdd(): Promise<void> {
  await make({
    'in/empty.txt': '',
    'in/grüße 😀.txt': 'ä',
    'in/sub/deep/run.sh': '#!/bin/sh\n',
    'in/big.bin': new Uint8Array(700_000).fill(7),
    [`in/${LONG}.txt`]: 'long',
    [`in/${LONG}/${LONG}/x`]: 'longer',
  });
  await writeFile(Buffer.concat([Buffer.from(`${place.path('in')}/`), RAW]), 'raw');
  await mkdir(place.path('in/hollow'));
  await symlink('../empty.txt', place.path('in/sub/up'));
  await symlink('nowhere', place.path('in/dangling'));
  await link(place.path('in/empty.txt'), place.path('in/second.txt'));
  await chmod(place.path('in/sub/deep/run.sh'), 0o755);
  await utimes(place.path('in/empty.txt'), 1_600_000_001.25, 1_600_000_001.25);
  await utimes(place.path('in/big.bin'), new Date(-1_000_000), new Date(-1_000_000));
  await utimes(place.path('in/hollow'), 1_500_000_000, 1_500_000_000);
}

/** Names, kinds, content, links and times of a tree, as a program sees them that is not ours. */
const listed = (folder: string): string =>
  execFileSync('find', ['.', '-printf', '%P %y %l %m\\n'], { cwd: place.path(folder), encoding: 'latin1' })
    .split('\n')
    .sort()
    .join('\n');

async function expectSame(folder: string): Promise<void> {
  expect(listed(folder)).toBe(listed('in'));
  expect(run('diff', '-r', '--no-dereference', place.path('in'), place.path(folder))).toBe('');
}

describe('FA_create_tar', () => {
  it.skipIf(lacks('tar', 'bsdtar', 'python3', '7z'))(
    'makes what GNU tar, bsdtar and Python read to the same tree',
    async () => {
      await makeOdd();
      expect(await pack('in', 'made/o.tar')).toBe(place.path('made/o.tar'));
      for (const [name, unpackers] of [
        ['gnu', ['tar', '-xf']],
        ['bsd', ['bsdtar', '-xf']],
      ] as const) {
        await mkdir(place.path(name));
        run(unpackers[0], unpackers[1], place.path('made/o.tar'), '-C', place.path(name));
        await expectSame(`${name}/in`);
        expect((await stat(place.path(name, 'in/empty.txt'))).mtimeMs).toBe(1_600_000_001_250);
        expect((await stat(place.path(name, 'in/big.bin'))).mtimeMs).toBe(-1_000_000);
        expect((await stat(place.path(name, 'in/second.txt'))).nlink).toBe(2);
      }
      python(
        'import sys,tarfile\ntarfile.open(sys.argv[1]).extractall(sys.argv[2], filter="fully_trusted")',
        place.path('made/o.tar'),
        place.path('py'),
      );
      await expectSame('py/in');
      expect(run('7z', 't', place.path('made/o.tar'))).toContain('Everything is Ok');
    },
  );

  it.skipIf(lacks('tar')).each([
    ['gz', 'gzip'],
    ['GZ', 'gzip'],
    ['zst', 'zstd'],
    ['xz', 'xz'],
    ['bz2', 'bzip2'],
    ['none', 'tar'],
    ['', 'tar'],
    [null, 'tar'],
  ])('compression %s is read by its program, and again by ourselves', async (compression, program) => {
    await make({
      'in/a.txt': 'a'.repeat(100_000),
      'in/b.bin': new Uint8Array(300_000).map((_, index) => (index * index) >> 3),
    });
    await pack('in', 'o.tar.any', compression);
    expect(run('file', '-b', place.path('o.tar.any')).toLowerCase()).toContain(
      program === 'zstd' ? 'zstandard' : program,
    );
    await mkdir(place.path('theirs'));
    execFileSync(
      'sh',
      ['-c', program === 'tar' ? 'tar -xC theirs < o.tar.any' : `${program} -dc < o.tar.any | tar -xC theirs`],
      { cwd: place.root },
    );
    await expectSame('theirs/in');
    expect(await unpack('o.tar.any', 'ours')).toEqual(['in/', 'in/a.txt', 'in/b.bin']);
    await expectSame('ours/in');
  });

  it.skipIf(lacks('tar', 'zstd'))(
    'packs more than one thread takes at once, without a byte lost at the seams',
    async () => {
      const numbers = new Uint32Array(12_500_001).map((_, index) => Math.imul(index, 2_654_435_761));
      await make({ 'in/a.bin': new Uint8Array(numbers.buffer), 'in/b.txt': 'b' });
      for (const compression of ['zst', 'gz', 'none']) {
        await pack('in', 'o.tar', compression);
        await mkdir(place.path(`${compression}-theirs`));
        run('tar', '-xf', 'o.tar', '-C', `${compression}-theirs`);
        await expectSame(`${compression}-theirs/in`);
        await unpack('o.tar', compression);
        await expectSame(`${compression}/in`);
      }
    },
    30_000,
  );

  it.skipIf(lacks('tar', 'zstd'))(
    'packs text that repeats after a megabyte as small as zstd on all processors',
    async () => {
      const lines = Array.from(
        { length: 1 << 16 },
        (_, index) => `${Math.imul(index, 2_654_435_761) >>> 0} ${Math.imul(index, 40_503) & 0xffff}\n`,
      ).join('');
      await make({ 'in/a.txt': lines.repeat(48) });
      await pack('in', 'ours.tar.zst', 'zst');
      run('sh', '-c', 'tar -cf - in | zstd -q -3 -T2 -o theirs.tar.zst');
      expect((await stat(place.path('ours.tar.zst'))).size).toBeLessThan(
        (await stat(place.path('theirs.tar.zst'))).size,
      );
    },
  );

  it('gives the same bytes twice, leaves itself out, and follows the source alone', async () => {
    await make({ 'in/a.txt': 'a' });
    await symlink('in', place.path('way'));
    await pack('in', 'in/o.tar');
    await pack('in', 'in/o.tar');
    const noon = (): Promise<void> => utimes(place.path('in'), 1_600_000_000, 1_600_000_000);
    await noon();
    await pack('in', 'one.tar');
    await noon();
    await pack('in', 'two.tar');
    expect((await readFile(place.path('one.tar'))).equals(await readFile(place.path('two.tar')))).toBe(true);
    expect(await unpack('in/o.tar', 'one')).toEqual(['in/', 'in/a.txt']);
    await pack('way', 'three.tar');
    expect(await unpack('three.tar', 'three')).toEqual(['way/', 'way/a.txt', 'way/o.tar']);
  });

  it.each([
    ['a missing source', 'none', 'o.tar', 'gz', 'SVC85000'],
    ['an unknown compression', 'in', 'o.tar', 'lz4', 'SVC86001'],
    ['itself', 'o.tar', 'o.tar', 'none', 'SVC85016'],
    ['a pipe', 'odd', 'o.tar', 'none', 'SVC85022'],
  ])('refuses %s and leaves the archive as it was', async (_what, from, to, compression, code) => {
    await make({ 'in/a': '', 'o.tar': 'old', 'odd/a': '' });
    run('mkfifo', place.path('odd/pipe'));
    expect((await failureOf(pack(from, to, compression))).facts.code).toBe(code);
    expect(await readFile(place.path('o.tar'), 'utf8')).toBe('old');
    expect((await readdir(place.root)).sort()).toEqual(['in', 'o.tar', 'odd']);
  });

  it('fails when a file grows or shrinks meanwhile, and names it', async () => {
    await make({ 'in/a.bin': new Uint8Array(5_000_000) });
    const { files } = place.context;
    for (const size of [10, 6_000_000]) {
      const changing = {
        ...files,
        lstat: async (path: string) => ({ ...(await files.lstat(path)), ...(path.endsWith('a.bin') && { size }) }),
      };
      Object.assign(place.context, { files: changing });
      const failure = await failureOf(pack('in', 'o.tar'));
      expect([failure.facts.code, failure.message]).toEqual(['SVC86009', expect.stringContaining('a.bin')]);
    }
    expect(await readdir(place.root)).toEqual(['in']);
  });

  // Root may read everything.
  if (process.getuid?.() !== 0)
    it('names a file that may not be read', async () => {
      await make({ 'in/a': 'x' });
      await chmod(place.path('in/a'), 0);
      const failure = await failureOf(pack('in', 'o.tar'));
      expect([failure.facts.code, failure.message]).toEqual(['SVC85004', expect.stringContaining('in/a')]);
    });

  it('stops when it is cancelled, and leaves nothing', async () => {
    const stopping = new AbortController();
    await place.close();
    place = await openPlace({ signal: stopping.signal });
    await make({ 'in/a': 'x' });
    await truncate(place.path('in/a'), 2 ** 31);
    setTimeout(() => stopping.abort(new Error('stop')), 50);
    await expect(pack('in', 'o.tar', 'gz')).rejects.toThrow('stop');
    expect(await readdir(place.root)).toEqual(['in']);
  });
});

describe('FA_extract_tar', () => {
  it('brings back what was packed: links, names of any bytes, times and permission bits', async () => {
    await makeOdd();
    await pack('in', 'o.tar.gz', 'gz');
    await unpack('o.tar.gz', 'to');
    await expectSame('to/in');
    expect((await stat(place.path('to/in/empty.txt'))).mtimeMs).toBe(1_600_000_001_250);
    expect((await stat(place.path('to/in/hollow'))).mtimeMs).toBe(1_500_000_000_000);
    expect((await stat(place.path('to/in/second.txt'))).ino).toBe((await stat(place.path('to/in/empty.txt'))).ino);
    expect(await readlink(place.path('to/in/sub/up'))).toBe('../empty.txt');
  });

  it.skipIf(lacks('tar', 'bsdtar', 'python3')).each([
    ['GNU', ['tar', '--format=gnu', '-cf', 'o.tar', 'in']],
    ['pax of GNU tar', ['tar', '--format=posix', '-cf', 'o.tar', 'in']],
    ['bsdtar', ['bsdtar', '-cf', 'o.tar', 'in']],
    ['bsdtar with xz', ['bsdtar', '-cJf', 'o.tar', 'in']],
    ['GNU with bzip2', ['tar', '--format=gnu', '-cjf', 'o.tar', 'in']],
    ['GNU with zstd', ['tar', '--format=gnu', '--zstd', '-cf', 'o.tar', 'in']],
  ])('reads archives of %s', async (_what, [program = '', ...args]) => {
    await makeOdd();
    run(program, ...args);
    await unpack('o.tar', 'to');
    await expectSame('to/in');
  });

  it.skipIf(lacks('python3')).each(['GNU_FORMAT', 'PAX_FORMAT', 'USTAR_FORMAT'])(
    'reads archives of Python in %s',
    async (format) => {
      await make({ 'in/a.txt': 'a', 'in/sub/grüße.txt': 'ä' });
      python(
        'import sys,tarfile\nt=tarfile.open("o.tar","w",format=getattr(tarfile,sys.argv[1])); t.add("in"); t.close()',
        format,
      );
      await unpack('o.tar', 'to');
      await expectSame('to/in');
    },
  );

  it.skipIf(lacks('tar')).each(['gnu', '0.0', '0.1', '1.0'])('reads sparse files of version %s', async (version) => {
    await mkdir(place.path('in'));
    // More pieces than a header has room for.
    python(
      'f=open("in/holes","wb")\nfor i in range(60):\n  f.seek(i*30000); f.write(b"piece %d" % i)\nf.truncate(2000000)\nf=open("in/hollow","wb"); f.truncate(1000000)',
    );
    run(
      'tar',
      ...(version === 'gnu' ? ['--format=gnu'] : ['--format=posix', `--sparse-version=${version}`]),
      '-cSf',
      'o.tar',
      'in',
    );
    expect((await stat(place.path('o.tar'))).size).toBeLessThan(1_000_000);
    await unpack('o.tar', 'to');
    await expectSame('to/in');
  });

  it('reads the format of old UNIX, and several compressed streams behind each other', async () => {
    const archive = rawTar([
      { name: 'd/', type: '\0', magic: '' },
      { name: 'd/a', type: '\0', magic: '', content: 'old' },
    ]);
    await writeFile(place.path('o.tar'), archive);
    expect(await unpack('o.tar', 'to')).toEqual(['d/', 'd/a']);
    await writeFile(place.path('1'), archive.subarray(0, 700));
    await writeFile(place.path('2'), archive.subarray(700));
    for (const program of ['gzip', 'bzip2', 'xz', 'zstd']) {
      execFileSync('sh', ['-c', `(${program} -c < 1; ${program} -c < 2) > o.tar`], { cwd: place.root });
      await unpack('o.tar', program);
      expect(await readFile(place.path(program, 'd/a'), 'utf8')).toBe('old');
    }
  });

  it.each([false, true])(
    'follows forty links from one to the next and no more, the last one first: %s',
    async (turned) => {
      const chain = (links: number): Buffer => {
        const members = Array.from({ length: links }, (_one, index) => ({
          name: `l${index + 1}`,
          type: '2',
          target: index === 0 ? 'file' : `l${index}`,
        }));
        return rawTar([{ name: 'file', content: 'x' }, ...(turned ? members.reverse() : members)]);
      };
      await writeFile(place.path('40.tar'), chain(40));
      await writeFile(place.path('41.tar'), chain(41));
      expect(await unpack('40.tar', 'to')).toHaveLength(41);
      expect(await readFile(place.path('to/l40'), 'utf8')).toBe('x');
      expect((await failureOf(unpack('41.tar', 'far'))).facts.name).toBe('PathTraversalException');
      expect(existsSync(place.path('far'))).toBe(false);
    },
  );

  it('takes write permission for others and special bits off', async () => {
    await writeFile(
      place.path('o.tar'),
      rawTar([
        { name: 'a', mode: 0o6777 },
        { name: 'b', mode: 0o000 },
        { name: 'd/', type: '5', mode: 0o1777 },
      ]),
    );
    await unpack('o.tar', 'to');
    const modes = await Promise.all(
      ['a', 'b', 'd'].map(async (name) => (await lstat(place.path('to', name))).mode & 0o7777),
    );
    expect(modes).toEqual([0o755, 0o400, 0o755]);
  });

  it('records of the whole archive count until a member has its own', async () => {
    await writeFile(
      place.path('o.tar'),
      rawTar([paxOf({ mtime: '1000.5' }, 'g'), { name: 'a' }, paxOf({ mtime: '2000' }), { name: 'b' }, { name: 'c' }]),
    );
    await unpack('o.tar', 'to');
    expect(
      await Promise.all(['a', 'b', 'c'].map(async (name) => (await stat(place.path('to', name))).mtimeMs)),
    ).toEqual([1_000_500, 2_000_000, 1_000_500]);
  });

  it('replaces files, keeps others, and leaves nothing beside them', async () => {
    await make({ 'in/a.txt': 'new', 'to/in/a.txt': 'old', 'to/in/b.txt': 'b' });
    await pack('in', 'o.tar');
    await unpack('o.tar', 'to');
    expect((await readdir(place.path('to'))).sort()).toEqual(['in']);
    expect((await readdir(place.path('to/in'))).sort()).toEqual(['a.txt', 'b.txt']);
    expect(await readFile(place.path('to/in/a.txt'), 'utf8')).toBe('new');
  });

  it.each([
    ['text', Buffer.from('no archive'.repeat(100))],
    ['nothing', Buffer.alloc(0)],
    ['an archive without end', rawTar([{ name: 'a', content: 'x' }], { end: false })],
    ['one that is cut off', rawTar([{ name: 'a', content: 'x'.repeat(2000) }]).subarray(0, 1500)],
    ['a wrong sum', rawTar([{ name: 'a' }]).fill('b', 0, 1)],
    [
      'a hard link with content',
      rawTar([
        { name: 'a', content: '1' },
        { name: 'b', type: '1', target: 'a', content: 'two' },
      ]),
    ],
    ['a size below zero', rawTar([{ name: 'a', edit: (header) => header.fill(0xff, 124, 136) }])],
    ['a size beyond all', rawTar([{ name: 'a', edit: (header) => header.fill(0x80, 124, 125).fill(0x7f, 125, 136) }])],
    ['a record that lies about its length', rawTar([{ name: 'p', type: 'x', content: '99 path=a\n' }, { name: 'a' }])],
    [
      'a sparse map out of order',
      rawTar([paxOf({ 'GNU.sparse.size': '100', 'GNU.sparse.map': '50,1,0,1' }), { name: 'a', content: 'xx' }]),
    ],
    [
      'a sparse map that does not fit',
      rawTar([paxOf({ 'GNU.sparse.size': '100', 'GNU.sparse.map': '0,10' }), { name: 'a', content: 'xx' }]),
    ],
    ['a name of megabytes', rawTar([{ name: 'l', type: 'L', content: 'n'.repeat(2_000_000) }, { name: 'a' }])],
  ])('%s is told as broken, and nothing appears', async (_what, bytes) => {
    await writeFile(place.path('o.tar'), bytes);
    const failure = await failureOf(unpack('o.tar', 'to'));
    expect([failure.facts.code, failure.facts.name]).toEqual(['SVC86000', 'TarException']);
    expect(existsSync(place.path('to'))).toBe(false);
  });

  it.each(['', '502a4d180400000061626364'])(
    'frames of zstd behind each other are read however slowly, with %j to be skipped between them',
    async (skipped) => {
      const noise = createHash('shake256', { outputLength: 900_000 }).update('noise').digest();
      const frames = [noise.subarray(0, 400_000), noise.subarray(400_000)].flatMap((piece) => [
        Buffer.from(skipped, 'hex'),
        zstdCompressSync(piece),
      ]);
      // The end of a frame lies within a piece that is read at once, and another such piece follows.
      await writeFile(place.path('a.zst'), Buffer.concat(frames));
      const { files, compression, signal } = place.context;
      const pieces: Uint8Array[] = [];
      for await (const piece of compression.decompress(
        'zst',
        files.stream(place.path('a.zst'), { chunk: 256 * 1024 }),
        { path: 'a.zst', signal },
      )) {
        pieces.push(piece.slice());
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      expect(Buffer.concat(pieces).equals(noise)).toBe(true);
      await writeFile(
        place.path('o.tar.zst'),
        Buffer.concat([Buffer.from(skipped, 'hex'), zstdCompressSync(rawTar([{ name: 'a' }]))]),
      );
      expect(await unpack('o.tar.zst', 'to')).toEqual(['a']);
    },
  );

  it.skipIf(lacks('tar')).each(['gzip', 'bzip2', 'xz', 'zstd'])(
    'damaged %s data is told as such, and nothing appears',
    async (program) => {
      await make({ 'in/a.bin': new Uint8Array(200_000).map((_, index) => (index * index) >> 3) });
      await pack('in', 'o.tar');
      const packed = execFileSync(program, ['-c'], { input: await readFile(place.path('o.tar')) });
      for (const bytes of [
        packed.subarray(0, packed.length - 20),
        Buffer.from(packed).fill(0x5a, packed.length >> 1, (packed.length >> 1) + 40),
      ]) {
        await writeFile(place.path('o.tar.any'), bytes);
        expect(['SVC86007', 'SVC86000']).toContain((await failureOf(unpack('o.tar.any', 'to'))).facts.code);
        expect(existsSync(place.path('to'))).toBe(false);
      }
    },
  );
});
