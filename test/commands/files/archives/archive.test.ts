import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readFile, readdir, stat, truncate, utimes } from 'node:fs/promises';
import { gzipSync, zstdCompressSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { SEVEN_ZIP } from '#runtime/adapters/seven-zip/package.ts';
import {
  FA_archive_detect,
  FA_archive_extract,
  FA_archive_formats,
  FA_archive_list,
} from '#stdlib/files/archives/archive/archive.ts';

import manifest from '../../../../package.json' with { type: 'json' };
import { call, failureOf, openPlace, type Files, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';
import { rawRar } from './raw-rar.ts';
import { rawSevenZip } from './raw-seven-zip.ts';
import { rawTar } from './raw-tar.ts';
import { rawZip } from './raw-zip.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.close());

const make = (files: Files): Promise<void> => place.make(files);

const detect = (path: string): Promise<string> => call(FA_archive_detect, place, { path: place.path(path) });
const list = (path: string): Promise<readonly string[]> => call(FA_archive_list, place, { path: place.path(path) });
const extract = (source: string, target = 'to'): Promise<readonly string[]> =>
  call(FA_archive_extract, place, { source: place.path(source), target: place.path(target) });
const shell = (script: string): string => execFileSync('sh', ['-c', script], { cwd: place.root, encoding: 'utf8' });
const same = (folder: string): string => shell(`diff -r in ${folder}`);

const tree = {
  'in/a.txt': 'hello',
  'in/sub/grüße 😀.txt': 'ä',
  'in/sub/empty': '',
  'in/big.bin': new Uint8Array(300_000).map((_, index) => (index * index) >> 3),
};

describe('links', () => {
  it.each([
    ['a symbolic link', '2'],
    ['a second name', '1'],
  ])('%s that stays inside is refused, and nothing appears', async (_what, type) => {
    await make({
      o: rawTar([
        { name: 'a', content: 'a' },
        { name: 'b', type, target: 'a' },
      ]),
    });
    const { facts } = await failureOf(extract('o'));
    expect([facts.code, facts.name]).toEqual(['SVC85038', 'ArchiveException']);
    expect(existsSync(place.path('to'))).toBe(false);
  });
});

describe('formats', () => {
  it.skipIf(lacks('tar', 'zip', '7z', 'xz', 'bzip2', 'zstd')).each([
    ['zip', 'zip -qr o in'],
    ['tar', 'tar -cf o in'],
    ['tar.gz', 'tar -czf o in'],
    ['tar.bz2', 'tar -cjf o in'],
    ['tar.xz', 'tar -cJf o in'],
    ['tar.zst', 'tar --zstd -cf o in'],
    ['7z', '7z a -bd -t7z o.7z in && mv o.7z o'],
    ['7z', '7z a -bd -t7z -mx=9 -ms=on -m0=PPMd o.7z in && mv o.7z o'],
    ['7z', 'bsdtar --format 7zip -cf o in'],
  ])('%s, by %s: told by the first bytes, listed, unpacked', async (format, pack) => {
    await make(tree);
    shell(pack);
    shell('test -f o || mv o.* o');
    expect(await detect('o')).toBe(format);
    expect((await list('o')).map((name) => name.replace(/\/$/, '')).sort()).toEqual([
      'in',
      'in/a.txt',
      'in/big.bin',
      'in/sub',
      'in/sub/empty',
      'in/sub/grüße 😀.txt',
    ]);
    const names = await extract('o');
    expect(names).toContain('in/a.txt');
    expect(names.some((name) => name.endsWith('/'))).toBe(format.startsWith('tar'));
    expect(same('to/in')).toBe('');
  });

  it.each([
    ['gz', (bytes: string): Uint8Array => gzipSync(bytes)],
    ['zst', (bytes: string): Uint8Array => zstdCompressSync(bytes)],
    ['bz2', (bytes: string): Uint8Array => execFileSync('bzip2', { input: bytes })],
    ['xz', (bytes: string): Uint8Array => execFileSync('xz', { input: bytes })],
  ])('one file compressed as %s becomes one file, with its time and rights', async (format, pack) => {
    await make({ [`a.txt.${format}`]: pack('content'), plain: pack('content') });
    await utimes(place.path(`a.txt.${format}`), 1_600_000_000, 1_600_000_000);
    await chmod(place.path(`a.txt.${format}`), 0o600);
    expect(await detect(`a.txt.${format}`)).toBe(format);
    expect((await failureOf(list(`a.txt.${format}`))).facts.code).toBe('SVC86003');
    expect(await extract(`a.txt.${format}`)).toEqual(['a.txt']);
    expect(await readFile(place.path('to/a.txt'), 'utf8')).toBe('content');
    const { mtimeMs, mode } = await stat(place.path('to/a.txt'));
    expect([mtimeMs, mode & 0o777]).toEqual([1_600_000_000_000, 0o600]);
    expect(await extract('plain')).toEqual(['plain']);
    expect(
      (await failureOf(call(FA_archive_extract, place, { source: place.path('plain'), target: place.root }))).facts
        .code,
    ).toBe('SVC85016');
    expect(await detect('plain')).toBe(format);
  });

  it('a ZIP file without members, an old tar, and a RAR archive are known; text, nothing and compressed nonsense are not', async () => {
    await make({
      zip: rawZip([]),
      tar: rawTar([{ name: 'a', type: '\0', magic: '' }]),
      rar: rawRar([{ name: 'a', content: 'x' }]),
      text: 'text',
      nothing: '',
      half: gzipSync('x').subarray(0, 12),
    });
    expect(await Promise.all(['zip', 'tar', 'rar', 'half'].map(detect))).toEqual(['zip', 'tar', 'rar', 'gz']);
    for (const name of ['text', 'nothing']) {
      const failure = await failureOf(detect(name));
      expect([failure.facts.code, failure.facts.name]).toEqual(['SVC86002', 'ArchiveException']);
    }
    expect((await failureOf(extract('half'))).facts.code).toBe('SVC86007');
    expect(existsSync(place.path('to'))).toBe(false);
  });

  it('are all listed', async () => {
    expect(await call(FA_archive_formats, place, {})).toEqual([
      'zip',
      'tar',
      'tar.gz',
      'tar.bz2',
      'tar.xz',
      'tar.zst',
      'gz',
      'bz2',
      'xz',
      'zst',
      '7z',
      'rar',
    ]);
  });
});

describe('7z and RAR', () => {
  const members = [
    { name: 'd', isFolder: true },
    { name: 'd/a.txt', content: 'hello' },
    { name: 'd/empty' },
    { name: 'b.sh', content: '#!', mode: 0o100777 },
  ];

  it.each([
    ['7z', rawSevenZip(members)],
    ['rar', rawRar(members)],
  ])('%s: permission bits are kept but for others, names stand in order', async (_format, bytes) => {
    await make({ o: bytes });
    expect(await extract('o')).toEqual(['d', 'd/a.txt', 'd/empty', 'b.sh']);
    expect(await readFile(place.path('to/d/a.txt'), 'utf8')).toBe('hello');
    expect((await stat(place.path('to/d/empty'))).size).toBe(0);
    expect((await stat(place.path('to/b.sh'))).mode & 0o777).toBe(0o755);
    expect((await readdir(place.path('to'))).sort()).toEqual(['b.sh', 'd']);
  });

  it.each([
    ['7z', rawSevenZip],
    ['rar', rawRar],
  ] as const)('%s: a name that reads like a list adds no member, and no fact about one', async (_format, make7) => {
    const tricky = ['a\nPath = evil', 'b\nSize = 9', 'c\bSize = 9', 'Path = d', ' e', 'f\r'];
    await make({ o: make7(tricky.map((name, index) => ({ name, content: String(index) }))) });
    expect(await extract('o')).toEqual(['a_Path = evil', 'b_Size = 9', 'c_Size = 9', 'Path = d', ' e', 'f_']);
  });

  it.skipIf(lacks('7z'))('encrypted ones, damaged ones and those that take too much memory are refused', async () => {
    await make(tree);
    shell('7z a -bd -psecret enc.7z in; 7z a -bd -psecret -mhe=on hidden.7z in; 7z a -bd plain.7z in');
    const plain = await readFile(place.path('plain.7z'));
    await make({
      'cut.7z': plain.subarray(0, plain.length - 10),
      'bent.7z': Buffer.from(plain).fill(0x55, 800, 820),
      'large.7z': rawSevenZip([{ name: 'a', content: 'x' }], { dictionary: 40 }),
      'bent.rar': rawRar([{ name: 'a', content: 'right' }]).map((byte, index, all) =>
        index === all.length - 12 ? byte ^ 1 : byte,
      ),
    });
    for (const name of ['enc.7z', 'hidden.7z', 'cut.7z', 'bent.7z', 'bent.rar', 'large.7z']) {
      const failure = await failureOf(extract(name));
      expect([name, failure.facts.code, failure.facts.name]).toEqual([name, 'SVC86008', 'ArchiveException']);
      expect(existsSync(place.path('to'))).toBe(false);
    }
    for (const name of ['enc.7z', 'hidden.7z'])
      expect((await failureOf(extract(name))).cause).toMatchObject({ message: expect.stringContaining('encrypted') });
  });

  it('stop when they are cancelled, and leave nothing', async () => {
    const stopping = new AbortController();
    await place.close();
    place = await openPlace({ signal: stopping.signal });
    await make({ o: rawSevenZip([{ name: 'a', content: new Uint8Array(30_000_000) }]) });
    setTimeout(() => stopping.abort(new Error('stop')), 150);
    await expect(
      (async () => {
        for (;;) await extract('o');
      })(),
    ).rejects.toThrow('stop');
    expect(await readdir(place.root)).toEqual(expect.not.arrayContaining([expect.stringContaining('tmp')]));
  });

  it('the package is the one that we name', () => {
    expect(manifest.peerDependencies).toMatchObject({ [SEVEN_ZIP.name]: SEVEN_ZIP.version });
  });
});

describe('limits', () => {
  it('hold for one compressed file, whose size nobody says', async () => {
    await make({ zeros: '' });
    await truncate(place.path('zeros'), 15_000_000);
    for (const program of ['gzip', 'bzip2', 'xz', 'zstd']) {
      shell(`${program} -c zeros > bomb`);
      expect((await failureOf(extract('bomb'))).facts.code).toBe('SVC85036');
      expect(existsSync(place.path('to'))).toBe(false);
    }
  });
});
