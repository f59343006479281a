import { execFileSync } from 'node:child_process';
import { mkdir, readFile, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_archive_extract, FA_archive_list } from '#stdlib/files/archives/archive/archive.ts';
import { FA_create_tar } from '#stdlib/files/archives/tar/tar.ts';
import { FA_unzip_all, FA_zip_dir, FA_zip_info } from '#stdlib/files/archives/zip/zip.ts';

import { call, openPlace, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace({ limits: { archive_ratio: 1e9 } });
});
afterEach(() => place.close());

/** Leaves tests that take half a minute for each archive to the whole run. */
const isShort = !process.env['SVC_TEST_FULL'];

const names = {
  plain: 'a.txt',
  accents: 'sub/grüße 😀.txt',
  deep: `${'d/'.repeat(60)}x`,
  long: `${'n'.repeat(250)}.txt`,
};

async function makeTree(): Promise<void> {
  for (const [index, name] of Object.values(names).entries()) {
    await mkdir(dirname(place.path('in', name)), { recursive: true });
    await writeFile(place.path('in', name), `content ${index}\n`.repeat(1 + index * 20_000));
  }
}

const shell = (script: string): string =>
  execFileSync('sh', ['-ec', script], { cwd: place.root, encoding: 'utf8', maxBuffer: 2 ** 26 });
const extract = (source: string): Promise<readonly string[]> =>
  call(FA_archive_extract, place, { source: place.path(source), target: place.path('to') });
const same = (folder: string): string => shell(`diff -r in ${folder}`);

describe.skipIf(lacks('unzip', '7z', 'tar', 'bsdtar', 'python3', 'xz', 'bzip2', 'zstd'))(
  'archives made here are read by',
  () => {
    const readers: readonly (readonly [string, string])[] = [
      ['unzip', 'mkdir to && unzip -q o.zip -d to/in'],
      ['7z', '7z x -bd -oto/in o.zip'],
      ['bsdtar', 'mkdir -p to/in && bsdtar -xf o.zip -C to/in'],
      ['Python', 'python3 -m zipfile -e o.zip to/in'],
    ];
    it.each(readers)('%s: zip', async (_reader, command) => {
      await makeTree();
      await call(FA_zip_dir, place, {
        dir_we_want_to_zip: place.path('in'),
        zip_name: place.path('o.zip'),
        progress_name: null,
      });
      shell(command);
      expect(same('to/in')).toBe('');
    });

    const compressions = ['none', 'gz', 'bz2', 'xz', 'zst'] as const;
    it.each(compressions)('tar, bsdtar, 7z and Python: tar with %s', async (compression) => {
      await makeTree();
      await call(FA_create_tar, place, {
        source: place.path('in'),
        target: place.path('o.tar'),
        compression,
        progress_name: null,
      });
      shell('mkdir gnu bsd && tar -xf o.tar -C gnu && bsdtar -xf o.tar -C bsd');
      expect([same('gnu/in'), same('bsd/in')]).toEqual(['', '']);
      expect(shell('7z t o.tar || zstd -t o.tar 2>&1')).toMatch(/Everything is Ok|o\.tar/);
      if (compression === 'zst') return;
      // Filters came with Python 3.11.4.
      const filtered = "**({'filter': 'data'} if hasattr(tarfile, 'data_filter') else {})";
      shell(`python3 -c "import tarfile; tarfile.open('o.tar').extractall('py', ${filtered})"`);
      expect(same('py/in')).toBe('');
    });
  },
);

describe.skipIf(lacks('zip', '7z', 'bsdtar', 'python3'))('archives of others:', () => {
  it.each([
    ['sizes behind the content, from zip', 'cd in && zip -qr - . > ../o'],
    ['sizes behind the content, from bsdtar', 'bsdtar --format zip -cf - -C in . > o'],
    [
      'Zip64 marks on small members',
      `python3 -c "
import os, zipfile
z = zipfile.ZipFile('o', 'w', zipfile.ZIP_DEFLATED)
for folder, _, files in os.walk('in'):
  for f in files:
    path = os.path.join(folder, f)
    with z.open(os.path.relpath(path, 'in'), 'w', force_zip64=True) as out: out.write(open(path, 'rb').read())
z.close()"`,
    ],
    ['Zip64 from a stream', 'cd in && zip -fz -qr - . > ../o'],
  ])('%s', async (_what, pack) => {
    await makeTree();
    shell(pack);
    await extract('o');
    expect(same('to')).toBe('');
  });

  it.each(['AES128', 'AES192', 'AES256', 'ZipCrypto'])('%s', async (method) => {
    await makeTree();
    shell(`cd in && 7z a -bd -tzip -ppass -mem=${method} ../o.zip .`);
    await call(FA_unzip_all, place, {
      zip_file_path: place.path('o.zip'),
      extract_member: null,
      extract_path: place.path('to'),
      password: 'pass',
    });
    expect(same('to')).toBe('');
  });

  if (!isShort)
    it('more members than the old format counts', async () => {
      shell(`python3 -c "
import zipfile
z = zipfile.ZipFile('o.zip', 'w')
for i in range(70000): z.writestr('f%d' % i, '')
z.close()"`);
      expect(await call(FA_archive_list, place, { path: place.path('o.zip') })).toHaveLength(70_000);
      await call(FA_unzip_all, place, {
        zip_file_path: place.path('o.zip'),
        extract_member: ['f0', 'f69999'],
        extract_path: place.path('to'),
        password: null,
      });
      expect(await readdir(place.path('to'))).toEqual(['f0', 'f69999']);
    }, 60_000);

  if (!isShort)
    it('members larger than the old format can say', async () => {
      await writeFile(place.path('large'), 'begin');
      await truncate(place.path('large'), 2 ** 32 + 5);
      shell(`python3 -c "
import zipfile
z = zipfile.ZipFile('o.zip', 'w', zipfile.ZIP_DEFLATED, compresslevel=1)
z.write('large'); z.writestr('behind.txt', 'behind'); z.close()"`);
      const [large] = await call(FA_zip_info, place, { zip_file_path: place.path('o.zip') });
      expect(large?.file_size).toBe(2 ** 32 + 5);
      await call(FA_unzip_all, place, {
        zip_file_path: place.path('o.zip'),
        extract_member: ['behind.txt'],
        extract_path: place.path('to'),
        password: null,
      });
      expect(await readFile(place.path('to/behind.txt'), 'utf8')).toBe('behind');
    }, 120_000);
});

if (!isShort)
  it.skipIf(lacks('unzip'))(
    'a member of more than 4 GiB that was packed here is read by others',
    async () => {
      await mkdir(place.path('in'));
      await writeFile(place.path('in/large'), 'begin');
      await truncate(place.path('in/large'), 2 ** 32 + 5);
      await call(FA_zip_dir, place, {
        dir_we_want_to_zip: place.path('in'),
        zip_name: place.path('o.zip'),
        progress_name: null,
      });
      expect(shell('unzip -tq o.zip')).toContain('No errors');
      await call(FA_create_tar, place, {
        source: place.path('in'),
        target: place.path('o.tar'),
        compression: 'zst',
        progress_name: null,
      });
      expect(shell('tar --zstd -tvf o.tar')).toContain(String(2 ** 32 + 5));
      expect((await stat(place.path('o.tar'))).size).toBeLessThan(2_000_000);
    },
    600_000,
  );
