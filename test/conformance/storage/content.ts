import { createHash } from 'node:crypto';

import { beforeAll, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { Backend } from '#stdlib/files/backends/backend.ts';
import { memoryBackend, memoryStore } from '#stdlib/files/backends/near/memory.ts';
import { copyFile } from '#stdlib/files/backends/transfer/copy-file.ts';

import {
  bytesOf,
  content,
  failureNamed,
  listAll,
  pieces,
  put,
  readAll,
  tools,
  zeros,
  type StorageService,
} from './service.ts';

const encoder = new TextEncoder();
/** Whether bytes are the same: to compare digests of them takes ten times as long. */
const isSame = (some: Uint8Array, others: Uint8Array): boolean => Buffer.compare(some, others) === 0;
const options = { signal: new AbortController().signal };

/** Bytes of all sizes: written, read from any place, replaced, and left alone where that was asked for. */
export function describeContent(started: () => StorageService, fresh: () => Promise<string>): void {
  let service: StorageService;
  let backend: Backend;
  beforeAll(() => {
    service = started();
    ({ backend } = service);
  });

  test.each([0, 1, 255, 65_536, 262_144, 262_145, 1_000_000, 8_388_608, 8_388_609, 20_000_000])(
    'holds %i bytes',
    async (size) => {
      const folder = await fresh();
      const bytes = bytesOf(size);
      const stored = await backend.write(`${folder}/file`, content(bytes), options);
      if (stored.size !== undefined) expect(stored.size).toBe(size);
      const entry = await backend.stat(`${folder}/file`, options);
      expect(entry?.size).toBe(size);
      const { digest } = backend.can;
      if (entry?.digest !== undefined && digest !== undefined && nodeHost().digest(digest))
        expect(entry.digest).toBe(createHash(digest).update(bytes).digest('hex'));
      expect(isSame(await readAll(backend, `${folder}/file`), bytes)).toBe(true);
    },
    30_000,
  );

  test('is taken before the next piece is asked for, which may overwrite it', async () => {
    const folder = await fresh();
    const size = 80 * 262_144;
    const shared = new Uint8Array(262_144);
    const body = (async function* () {
      for (let index = 0; index < 80; index += 1) yield shared.fill(index + 1);
      shared.fill(0);
    })();
    await backend.write(`${folder}/file`, { size, body }, options);
    const bytes = await readAll(backend, `${folder}/file`);
    const wrong = bytes.findIndex((byte, at) => byte !== Math.floor(at / 262_144) + 1);
    expect([bytes.length, wrong]).toEqual([size, -1]);
  }, 30_000);

  const holdsMuch = async (): Promise<void> => {
    if (!service.takesLarge) return;
    const path = `${await fresh()}/file`;
    const [size, last] = [5 * 1024 ** 3, encoder.encode('the end')];
    const before = process.memoryUsage().rss;
    await backend.write(path, { size, body: zeros(size, last) }, options);
    expect((await backend.stat(path, options))?.size).toBe(size);
    const from = backend.can.ranges ? size - 1_000_000 : 0;
    const reading = await backend.read(path, { ...options, from });
    let [read, end]: [number, Uint8Array] = [from, new Uint8Array()];
    for await (const piece of reading.body) {
      read += piece.length;
      end = Buffer.concat([end, piece.subarray(-last.length)]).subarray(-last.length);
    }
    expect([read, new TextDecoder().decode(end)]).toEqual([size, 'the end']);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 ** 2);
    await backend.remove(path, options);
  };
  // None is skipped in CI, which has no time for it.
  if (process.env['SVC_TEST_FULL']) test('holds 5 GiB, in constant memory', holdsMuch, 600_000);

  test.each([1, 100, 65_536, 299_999, 300_000])('is read from byte %i on', async (from) => {
    if (!backend.can.ranges) return;
    const folder = await fresh();
    const bytes = bytesOf(300_000);
    await put(backend, `${folder}/file`, bytes);
    if (from === bytes.length) return;
    expect(isSame(await readAll(backend, `${folder}/file`, from), bytes.subarray(from))).toBe(true);
  });

  test('that ends with a failure is not taken for whole', async () => {
    const path = `${await fresh()}/file`;
    const body = (async function* () {
      yield* pieces(bytesOf(200_000));
      throw new Error('the source is gone');
    })();
    expect(await failureNamed(backend.write(path, { size: 300_000, body }, options))).not.toBe('no failure');
    if (!backend.can.rename) expect(await backend.stat(path, options)).toBeUndefined();
  });

  test('is replaced as a whole', async () => {
    const folder = await fresh();
    await put(backend, `${folder}/file`, bytesOf(500_000));
    await put(backend, `${folder}/file`, 'short');
    expect(new TextDecoder().decode(await readAll(backend, `${folder}/file`))).toBe('short');
    await put(backend, `${folder}/file`, '');
    expect(await readAll(backend, `${folder}/file`)).toHaveLength(0);
  });

  test('grows where it was left', async () => {
    if (!backend.can.append) return;
    const folder = await fresh();
    const bytes = bytesOf(700_000);
    await put(backend, `${folder}/file`, bytes.subarray(0, 300_001));
    const rest = { size: bytes.length, body: pieces(bytes.subarray(300_001)), from: 300_001 };
    await backend.write(`${folder}/file`, rest, options);
    expect(isSame(await readAll(backend, `${folder}/file`), bytes)).toBe(true);
  });

  test('stays what it was where nothing may be replaced', async () => {
    if (!backend.can.exclusive) return;
    const folder = await fresh();
    await put(backend, `${folder}/file`, 'first');
    const again = backend.write(`${folder}/file`, content(encoder.encode('second'), { exclusive: true }), options);
    expect(await failureNamed(again)).toMatch(/storage-exists|path-taken|EEXIST/);
    expect(new TextDecoder().decode(await readAll(backend, `${folder}/file`))).toBe('first');
    await backend.write(`${folder}/other`, content(encoder.encode('new'), { exclusive: true }), options);
  });

  test('stops being read without harm', async () => {
    const folder = await fresh();
    await put(backend, `${folder}/file`, bytesOf(3_000_000));
    for (let round = 0; round < 5; round += 1) {
      const reading = await backend.read(`${folder}/file`, options);
      for await (const piece of reading.body) if (piece.length > 0) break;
      reading.close();
    }
    expect((await readAll(backend, `${folder}/file`)).length).toBe(3_000_000);
  });

  test('is whole when several write it at once', async () => {
    const folder = await fresh();
    const to = { backend, path: `${folder}/file` };
    const source = memoryBackend(memoryStore(), () => 1);
    const sizes = [200_000, 300_000, 400_000, 500_000];
    for (const size of sizes) await source.write(`f${size}`, content(bytesOf(size)), options);
    await Promise.all(sizes.map((size) => copyFile(tools(), { backend: source, path: `f${size}` }, to)));
    const found = await readAll(backend, `${folder}/file`);
    if (!service.mixesWriters) expect(isSame(found, bytesOf(found.length))).toBe(true);
    expect(sizes).toContain(found.length);
    expect((await listAll(backend, folder)).map((entry) => entry.name)).toEqual(['file']);
  });
}
