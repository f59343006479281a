import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { memoryHost } from '#runtime/hosts/memory.ts';
import { nodeHost } from '#runtime/hosts/node.ts';

const { files } = nodeHost();
/** More than is worked on in the thread of the run where others are at work too. */
const LARGE = 17 << 20;

let root = '';
let content = Buffer.alloc(0);
let cut = 0;
const at = (name: string): string => join(root, name);
const digestOf = (bytes: Uint8Array, name = 'sha256', outputLength?: number): string =>
  createHash(name, outputLength === undefined ? {} : { outputLength })
    .update(bytes)
    .digest('hex');

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-digest-'));
  content = Buffer.alloc(LARGE + 12_345, 'some text, again and again');
  writeFileSync(at('large'), content);
  writeFileSync(at('small'), content.subarray(0, 100_000));
  writeFileSync(at('empty'), '');
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('the digest of a file', () => {
  test.each([
    ['large', undefined],
    ['small', undefined],
    ['empty', undefined],
    ['large', (16 << 20) + 5],
    ['large', 1000],
    ['small', 99_999],
    ['small', 1 << 30],
  ])('%s up to %s', async (name, end) => {
    const bytes = name === 'large' ? content : name === 'small' ? content.subarray(0, 100_000) : Buffer.alloc(0);
    expect(await files.digest(at(name), 'sha256', end === undefined ? {} : { end })).toBe(
      digestOf(bytes.subarray(0, end)),
    );
  });

  test('by other functions, in pieces of any size, many at a time', async () => {
    const wanted = [
      digestOf(content, 'sha512'),
      digestOf(content, 'md5'),
      digestOf(content, 'blake2b512'),
      digestOf(content, 'sha3-256'),
    ];
    const found = await Promise.all(
      ['sha512', 'md5', 'blake2b512', 'sha3-256'].flatMap((name) =>
        [1 << 20, 12_347, 1 << 24].map((chunk) => files.digest(at('large'), name, { chunk })),
      ),
    );
    expect(found).toEqual(wanted.flatMap((digest) => [digest, digest, digest]));
    expect(await files.digest(at('small'), 'shake128')).toBe(digestOf(content.subarray(0, 100_000), 'shake128', 16));
  });

  test('leaves time for everything else meanwhile', async () => {
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 2);
    await Promise.all([1, 2, 3, 4].map(() => files.digest(at('large'), 'sha3-512')));
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(5);
  });

  test.each([1, 2])(
    'ends with the reason of its signal, %i at a time, and another one works after that',
    async (count) => {
      const controller = new AbortController();
      const work = Array.from({ length: count }, () =>
        files.digest(at('large'), 'sha3-512', { signal: controller.signal }),
      );
      setTimeout(() => controller.abort(new Error('stop')), 5);
      expect((await Promise.allSettled(work)).map((end) => end.status === 'rejected' && String(end.reason))).toEqual(
        work.map(() => 'Error: stop'),
      );
      await expect(
        files.digest(at('large'), 'sha256', { signal: AbortSignal.abort(new Error('before')) }),
      ).rejects.toThrow('before');
      expect(await files.digest(at('large'), 'sha256')).toBe(digestOf(content));
    },
  );

  const changes = {
    grows: () => appendFileSync(at('moving'), 'more'),
    'is cut': () => truncateSync(at('moving'), Math.max(0, LARGE - (cut += 1000))),
  };
  test.each([1, 2].flatMap((count) => Object.entries(changes).map(([what, change]) => ({ what, count, change }))))(
    'fails for a file that $what, $count at a time',
    async ({ count, change }) => {
      writeFileSync(at('moving'), content);
      const work = Array.from({ length: count }, () => files.digest(at('moving'), 'sha3-512'));
      const timer = setInterval(change, 2);
      for (const end of await Promise.allSettled(work))
        expect(end).toMatchObject({ status: 'rejected', reason: { code: 'ECHANGED', path: at('moving') } });
      clearInterval(timer);
    },
  );

  test('tells what is not there, and what is no file', async () => {
    await expect(files.digest(at('none'), 'sha256')).rejects.toMatchObject({ code: 'ENOENT', path: at('none') });
    await expect(files.digest(root, 'sha256')).rejects.toMatchObject({ code: 'EISDIR', path: root });
  });

  test('in memory too', async () => {
    const memory = memoryHost().files;
    await memory.write('/work/a', 'abcdef');
    expect(await memory.digest('/work/a', 'sha256', { end: 3 })).toBe(digestOf(Buffer.from('abc')));
  });
});
