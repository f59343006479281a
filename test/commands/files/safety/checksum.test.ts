import { execFileSync } from 'node:child_process';
import { truncate, writeFile } from 'node:fs/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { FA_file_checksum, FA_verify_checksum } from '#stdlib/files/safety/checksum/checksum.ts';

import { call, failureOf, openPlace, type Place } from '../call-here.ts';
import { lacks } from '../../../fixtures/programs.ts';
import { runActions } from '../run-actions.ts';

let place: Place;
beforeEach(async () => {
  place = await openPlace();
  await writeFile(place.path('abc'), 'abc');
});
afterEach(() => place.close());

const checksum = (name: string, algorithm = 'sha256', chunk_size = 1 << 20): Promise<string> =>
  call(FA_file_checksum, place, { path: place.path(name), algorithm, chunk_size, progress_name: null });
const verify = (name: string, expected: string, algorithm = 'sha256'): Promise<boolean> =>
  call(FA_verify_checksum, place, { path: place.path(name), expected, algorithm, chunk_size: 2, progress_name: null });

const algorithms = [
  'md5',
  'sha1',
  'sha224',
  'sha256',
  'sha384',
  'sha512',
  'sha512_256',
  'sha3_224',
  'sha3_256',
  'sha3_384',
  'sha3_512',
  'blake2b',
  'blake2s',
];

/** Digests that Python's hashlib makes of a file, by each algorithm. */
function hashlib(name: string): readonly string[] {
  const script =
    'import hashlib,sys\nfor a in sys.argv[2:]: print(hashlib.new(a,open(sys.argv[1],"rb").read()).hexdigest())';
  return execFileSync('python3', ['-c', script, place.path(name), ...algorithms], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

it('a digest that differs is told with the file, the algorithm and the digest', async () => {
  const { records } = await runActions(place.root, [
    ['FA_verify_checksum', { path: place.path('abc'), expected: '0'.repeat(32), algorithm: 'md5' }],
  ]);
  expect(records.at(-1)?.error).toMatchObject({
    code: 'SVC85052',
    message: `"${place.path('abc')}" does not have the expected md5 digest ${'0'.repeat(32)}.`,
  });
});

describe('FA_file_checksum', () => {
  it.skipIf(lacks('python3'))('agrees with hashlib, whatever the spelling of the name', async () => {
    const expected = hashlib('abc');
    for (const [index, algorithm] of algorithms.entries()) {
      expect(await checksum('abc', algorithm, 1)).toBe(expected[index]);
      expect(await checksum('abc', algorithm.toUpperCase().replaceAll('_', '-'))).toBe(expected[index]);
    }
  });

  it.skipIf(lacks('sha256sum'))(
    'agrees with sha256sum on an empty file and on a large sparse one',
    async () => {
      await writeFile(place.path('empty'), '');
      await writeFile(place.path('big'), 'x');
      await truncate(place.path('big'), 100 * 1024 * 1024);
      for (const name of ['empty', 'big'])
        expect(await checksum(name)).toBe(
          execFileSync('sha256sum', [place.path(name)], { encoding: 'utf8' }).slice(0, 64),
        );
    },
    30_000,
  );

  it.each([
    ['abc', 'shake_128', 'SVC85050', 'ValidationException'],
    ['abc', 'crc32', 'SVC85050', 'ValidationException'],
    ['none', 'sha256', 'SVC85000', 'FileNotExistsException'],
    ['.', 'sha256', 'SVC85000', 'FileNotExistsException'],
  ])('refuses %s by %s', async (name, algorithm, code, exception) => {
    const { facts } = await failureOf(checksum(name, algorithm));
    expect([facts.code, facts.name]).toEqual([code, exception]);
  });

  it('takes pieces of any size, watched or not', async () => {
    await truncate(place.path('abc'), 200_000);
    const expected = await checksum('abc');
    for (const chunk_size of [4_000_000_000, Number.MAX_SAFE_INTEGER]) {
      for (const progress_name of [null, 'x'])
        expect(
          await call(FA_file_checksum, place, {
            path: place.path('abc'),
            algorithm: 'sha256',
            chunk_size,
            progress_name,
          }),
        ).toBe(expected);
    }
  });

  it('stops when it is cancelled', async () => {
    const other = await openPlace({ signal: AbortSignal.abort(new Error('stop')) });
    await writeFile(other.path('x'), 'x');
    await expect(
      call(FA_file_checksum, other, { path: other.path('x'), algorithm: 'sha256', chunk_size: 1, progress_name: null }),
    ).rejects.toThrow();
    await other.close();
  });
});

describe('FA_verify_checksum', () => {
  const sha = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

  it('takes either case and says false for another digest', async () => {
    expect(await verify('abc', sha)).toBe(true);
    expect(await verify('abc', sha.toUpperCase())).toBe(true);
    expect(await verify('abc', sha.replace('b', 'c'))).toBe(false);
    expect(await verify('abc', sha.replace(/d$/, 'e'))).toBe(false);
  });

  it.each([` ${sha}`, sha.slice(1), 'x'.repeat(64), ''])('refuses %j before it reads the file', async (expected) => {
    expect((await failureOf(verify('none', expected))).facts.code).toBe('SVC85051');
  });
});
