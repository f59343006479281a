import { execFileSync } from 'node:child_process';
import { link, symlink } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { memoryBackend, memoryStore } from '#stdlib/files/backends/near/memory.ts';
import { FA_find_duplicates } from '#stdlib/files/copies/duplicates/duplicates.ts';
import { duplicatesElsewhere } from '#stdlib/files/copies/duplicates/stored-duplicates.ts';
import { digestNamed } from '#stdlib/files/digest-name.ts';

import { failureOf, openPlace, type Files, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';

let place: Place;
let opened: string[];
beforeEach(async () => {
  place = await openPlace();
  opened = [];
});
afterEach(() => place.close());

const make = (files: Files): Promise<void> => place.make(files);

interface Options {
  readonly root?: string;
  readonly min_size?: number;
  readonly sample_bytes?: number;
  readonly algorithm?: string;
  /** Fails for this file. */
  readonly refuses?: string;
}

async function duplicates({
  root = place.root,
  min_size = 1,
  sample_bytes = 65536,
  algorithm = 'sha256',
  refuses,
}: Options = {}): Promise<string[][]> {
  const { files } = place.context;
  const note = (path: string, what: string): void => void opened.push(`${what} ${path.slice(place.root.length + 1)}`);
  const no = (path: string): boolean => refuses !== undefined && path.endsWith(refuses);
  const refusal = (path: string): Error => Object.assign(new Error('no'), { code: 'EACCES', path });
  const digest: typeof files.digest = (path, name, options) => {
    note(path, options?.end === undefined ? 'digest of' : `digest to ${options.end} of`);
    if (no(path)) throw refusal(path);
    return files.digest(path, name, options);
  };
  const tellApart: typeof files.tellApart = async (groups, options) => {
    for (const path of groups.flatMap(({ paths }) => paths)) note(path, `bytes to ${options?.end ?? ''} of`);
    const likenesses = await files.tellApart(groups, options);
    return groups.map(({ paths }, group) =>
      paths.map((path, index) => (no(path) ? refusal(path) : (likenesses[group]?.[index] ?? 'changed'))),
    );
  };
  const found = await FA_find_duplicates({ root, min_size, sample_bytes, algorithm }, {
    ...place.context,
    files: { ...files, digest, tellApart },
  } as never);
  return found.map((group) => group.map((path) => path.slice(place.root.length + 1)));
}

describe('FA_find_duplicates', () => {
  it('groups by content, the largest first, paths sorted', async () => {
    await make({
      'z/1': 'aa',
      'a/2': 'aa',
      b: 'bb',
      'c/3': 'long',
      'c/1': 'long',
      y1: 'cc',
      x1: 'cc',
      alone: 'only one',
      e1: '',
      e2: '',
    });
    expect(await duplicates()).toEqual([
      ['c/1', 'c/3'],
      ['a/2', 'z/1'],
      ['x1', 'y1'],
    ]);
    expect(await duplicates({ min_size: 0 })).toEqual([
      ['c/1', 'c/3'],
      ['a/2', 'z/1'],
      ['x1', 'y1'],
      ['e1', 'e2'],
    ]);
    expect(await duplicates({ min_size: 3, algorithm: 'MD5' })).toEqual([['c/1', 'c/3']]);
    // Files of just that size count.
    expect(await duplicates({ min_size: 4 })).toEqual([['c/1', 'c/3']]);
  });

  it('reads no more than it must', async () => {
    await make({
      a: 'same start 1',
      b: 'same start 2',
      c: 'same start 1',
      d: 'other start!',
      alone: 'x',
      s1: 'abcd',
      s2: 'abcd',
    });
    expect(await duplicates({ sample_bytes: 4 })).toEqual([
      ['a', 'c'],
      ['s1', 's2'],
    ]);
    expect(opened.toSorted()).toEqual([
      ...['a', 'b', 'c', 'd', 's1', 's2'].map((name) => `bytes to 4 of ${name}`),
      ...['a', 'b', 'c'].map((name) => `digest of ${name}`),
    ]);
  });

  it('follows no link, and counts a file with several names once', async () => {
    await make({ 'b/one': 'data', c: 'data' });
    await link(place.path('b/one'), place.path('b/again'));
    await link(place.path('b/one'), place.path('a'));
    await symlink('c', place.path('link'));
    await symlink('b', place.path('folder'));
    execFileSync('mkfifo', [place.path('pipe')]);
    expect(await duplicates()).toEqual([['a', 'c']]);
  });

  it('skips files that may not be read', async () => {
    await make({ a: 'x', b: 'x', c: 'x', a2: 'same start 1', b2: 'same start 1', c2: 'same start 1' });
    expect(await duplicates({ refuses: '/b' })).toEqual([
      ['a2', 'b2', 'c2'],
      ['a', 'c'],
    ]);
    expect(await duplicates({ refuses: '/b2', sample_bytes: 4 })).toEqual([
      ['a2', 'c2'],
      ['a', 'b', 'c'],
    ]);
  });

  it('tells many files of one size apart by their digests, and empty ones too', async () => {
    await make(Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`f${index}`, String(10 + (index % 60))])));
    await make({ e1: '', e2: '' });
    expect(await duplicates({ min_size: 0 })).toEqual([
      ...Array.from({ length: 5 }, (_, index) => [`f${index}`, `f${index + 60}`].toSorted()),
      ['e1', 'e2'],
    ]);
    expect(opened.every((what) => what.startsWith('digest to 65536 of '))).toBe(true);
  });

  it('finds files that differ in their last byte different', async () => {
    const large = Buffer.alloc(200_000, 7);
    await make({ a: large, b: large, c: large.map((byte, index) => (index === large.length - 1 ? 8 : byte)) });
    expect(await duplicates()).toEqual([['a', 'b']]);
  });

  it.skipIf(lacks('sha256sum'))('agrees with sha256sum over many files', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1500 }, (_, index) => [`d${index % 9}/f${index}`, `${'x'.repeat(index % 5)}${index % 97}`]),
    );
    await make(files);
    const sums = execFileSync('sh', ['-c', 'find . -type f -exec sha256sum {} +'], {
      cwd: place.root,
      encoding: 'utf8',
    })
      .trimEnd()
      .split('\n');
    const groups = new Map<string, string[]>();
    for (const line of sums) {
      const [sum = '', name = ''] = line.split('  ./');
      groups.set(sum, [...(groups.get(sum) ?? []), name]);
    }
    const wanted = [...groups.values()].filter((names) => names.length > 1).map((names) => names.sort());
    const found = await duplicates({ sample_bytes: 3 });
    expect(found.toSorted((one, other) => ((one[0] ?? '') < (other[0] ?? '') ? -1 : 1))).toEqual(
      wanted.toSorted((one, other) => ((one[0] ?? '') < (other[0] ?? '') ? -1 : 1)),
    );
    const sizes = found.map(([first = '']) => files[first]?.length ?? 0);
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  });

  it('refuses what is no folder and a digest that is none', async () => {
    await make({ a: '' });
    expect((await failureOf(duplicates({ root: place.path('a') }))).facts.code).toBe('SVC85001');
    expect((await failureOf(duplicates({ root: place.path('none') }))).facts.code).toBe('SVC85001');
    expect((await failureOf(duplicates({ algorithm: 'crc' }))).facts.code).toBe('SVC85050');
  });
});

it('files of storage that are no longer than the sample are fetched once', async () => {
  const store = memoryStore();
  for (const [name, text] of Object.entries({ s1: 'abcd', s2: 'abcd', l1: 'longer', l2: 'longer', l3: 'longed' }))
    store.files.set(name, { bytes: Buffer.from(text), mtime_ms: 0 });
  const memory = memoryBackend(store, () => 0);
  const read: typeof memory.read = (path, options) => {
    opened.push(path);
    return memory.read(path, options);
  };
  const storage = {
    open: async () => ({ backend: { ...memory, read }, path: '', prefix: 'm:', close: async () => {} }),
  };
  const wanted = { minSize: 1, sampleBytes: 4, digest: digestNamed('md5') };
  expect(await duplicatesElsewhere({ ...place.context, storage }, 'm:', wanted)).toEqual([
    ['m:l1', 'm:l2'],
    ['m:s1', 'm:s2'],
  ]);
  expect(opened.toSorted()).toEqual(['l1', 'l1', 'l2', 'l2', 'l3', 'l3', 's1', 's2']);
});
