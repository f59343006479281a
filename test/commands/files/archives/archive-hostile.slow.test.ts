import { lstat, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import type { Files } from '#schemas/types/host.ts';
import { FA_archive_extract } from '#stdlib/files/archives/archive/archive.ts';
import { FA_extract_tar } from '#stdlib/files/archives/tar/tar.ts';

import { call, failureOf, openPlace, type Place } from '../call-here.ts';
import { hostileArchives, type HostileArchive } from './hostile-archives.ts';
import { sampled } from '../../../hostile/sampled.ts';
import { lacks } from '../../../fixtures/programs.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
  await writeFile(place.path('secret'), 'secret');
});
afterEach(() => place.close());

/** Calls whose paths are noted, with the arguments that are paths. */
const watched: readonly (readonly [keyof Files, readonly number[]])[] = [
  ['open', [0]],
  ['stream', [0]],
  ['read', [0]],
  ['copy', [0, 1]],
  ['rename', [0, 1]],
  ['hardLink', [0, 1]],
  ['link', [1]],
  ['write', [0]],
  ['writeStream', [0]],
  ['append', [0]],
  ['remove', [0]],
  ['removeTree', [0]],
  ['setTimes', [0]],
  ['setMode', [0]],
  ['makeDirectory', [0]],
];

/** Files that note every path that is read or changed. */
function noting(files: Files, paths: Set<string>): Files {
  const noted: Record<string, unknown> = { ...files };
  for (const [name, places] of watched) {
    const original = files[name] as (...args: unknown[]) => unknown;
    noted[name] = (...args: unknown[]) => {
      for (const at of places) paths.add(resolve(String(args[at])));
      return original(...args);
    };
  }
  return noted as unknown as Files;
}

const isLacking = lacks('bzip2', 'xz');
const archives = isLacking ? [] : hostileArchives();

it.skipIf(isLacking)('there are more than two hundred, no two alike', () => {
  expect(archives.length).toBeGreaterThan(200);
  expect(new Set(archives.map(({ what }) => what)).size).toBe(archives.length);
  for (const format of ['zip', 'tar', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.zst', '7z', 'rar'])
    expect(archives.filter(({ what }) => what.startsWith(`${format}:`)).length, format).toBeGreaterThan(15);
});

const groups = Map.groupBy(archives, ({ what }) => what.slice(0, what.indexOf(':')));

it.each([...groups])(
  '%s: none escapes, none reads outside, none leaves anything',
  async (_format, group) => {
    // Tricks come in every format: half of each format is tried, by the commit.
    const tried = sampled(group, 0.5, ({ what }) => what);
    for (const archive of tried) for (const unpacking of unpackingOf(archive)) await expectRefused(unpacking);
  },
  60_000,
);

interface Unpacking extends HostileArchive {
  readonly unpack: () => Promise<unknown>;
}

/** Tar archives by both commands: the one refuses every link, the other judges where it leads. */
function unpackingOf(archive: HostileArchive): readonly Unpacking[] {
  const { what } = archive;
  const [source, target] = [place.path('archive'), place.path('to')];
  const whole = { ...archive, unpack: () => call(FA_archive_extract, place, { source, target }) };
  const asTar = {
    ...archive,
    what: `${what}, by FA_extract_tar`,
    unpack: () => call(FA_extract_tar, place, { source, target_dir: target, progress_name: null }),
  };
  return what.startsWith('tar') ? [whole, asTar] : [whole];
}

async function expectRefused({ what, bytes, codes, unpack }: Unpacking): Promise<void> {
  await mkdir(place.path('to'), { recursive: true });
  await writeFile(place.path('to/old.txt'), 'old');
  await writeFile(place.path('archive'), bytes);
  const paths = new Set<string>();
  const { files } = place.context;
  Object.assign(place.context, { files: noting(files, paths) });
  const failure = await failureOf(unpack()).catch((cause: unknown) => {
    throw new Error(`${what} was unpacked`, { cause });
  });
  Object.assign(place.context, { files });
  expect(codes, `${what} gave ${failure.facts.code} ${failure.message}`).toContain(failure.facts.code);
  const outside = [...paths].filter(
    (path) => path !== place.path('archive') && relative(place.path('to'), path).split(sep)[0] === '..',
  );
  expect(outside, what).toEqual([]);
  expect((await readdir(place.root)).sort(), what).toEqual(['archive', 'secret', 'to']);
  expect(await readdir(place.path('to')), what).toEqual(['old.txt']);
  expect(
    [
      await readFile(place.path('secret'), 'utf8'),
      await readFile(place.path('to/old.txt'), 'utf8'),
      (await lstat(place.path('secret'))).nlink,
    ],
    what,
  ).toEqual(['secret', 'old', 1]);
  for (const path of ['/evil-root', '/tmp/evil', '/tmp/evil-link']) expect(existsSync(path), what).toBe(false);
}
