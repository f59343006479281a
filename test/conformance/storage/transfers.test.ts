import { describe, expect, test } from 'vitest';

import * as fail from '#schemas/generated/failures.ts';
import type { Backend } from '#stdlib/files/backends/backend.ts';
import { memoryBackend, memoryStore } from '#stdlib/files/backends/near/memory.ts';
import { copyFile } from '#stdlib/files/backends/transfer/copy-file.ts';
import { copyTree, planTree } from '#stdlib/files/backends/transfer/copy-tree.ts';

import { bytesOf, content, failureNamed, readAll, tools } from './service.ts';

const options = { signal: new AbortController().signal };
/** A clock that waits for nobody. */
const quick = () => {
  const given = tools();
  return { ...given, clock: { ...given.clock, sleep: async () => {} } };
};

async function withFiles(count: number): Promise<Backend> {
  const backend = memoryBackend(memoryStore(), () => 1);
  for (let index = 0; index < count; index += 1)
    await backend.write(`f${String(index).padStart(3, '0')}`, content(bytesOf(10)), options);
  return backend;
}

describe('a service that is not there', () => {
  test('is not asked for every file of a tree, and each is told', async () => {
    const source = await withFiles(40);
    let asked = 0;
    const to: Backend = {
      ...memoryBackend(memoryStore(), () => 1),
      write: async () => {
        asked += 1;
        throw fail.storageBrokenOff({ place: 'memory:', reason: 'down' });
      },
    };
    const places = [
      { backend: source, path: '' },
      { backend: to, path: 'tree' },
    ] as const;
    const done = await copyTree(quick(), ...places, await planTree(quick(), ...places, {}), { workers: 1 });
    expect([done.copied, done.failed.length, asked]).toEqual([[], 40, 5 * 4]);
    expect(done.failed[0]?.error.message).toContain('down');
    expect(done.failed[39]?.error.message).toContain('not tried');
  });

  test('is asked for all of them where it refuses each for a reason of its own', async () => {
    const source = await withFiles(12);
    const to: Backend = {
      ...memoryBackend(memoryStore(), () => 1),
      write: async (path) => {
        throw fail.storageDenied({ place: 'memory:', path, reason: 'no' });
      },
    };
    const places = [
      { backend: source, path: '' },
      { backend: to, path: '' },
    ] as const;
    const done = await copyTree(quick(), ...places, await planTree(quick(), ...places, {}), { workers: 1 });
    expect(done.failed.filter(({ error }) => error.name === 'storage-denied')).toHaveLength(12);
  });
});

describe('a folder to mirror into', () => {
  const mirrored = async (found: () => Error) => {
    const to: Backend = {
      ...memoryBackend(memoryStore(), () => 1),
      list: () => {
        throw found();
      },
    };
    const places = [
      { backend: await withFiles(2), path: '' },
      { backend: to, path: 'tree' },
    ] as const;
    return planTree(quick(), ...places, { deletes: true });
  };

  test('that is not there yet holds nothing to delete', async () => {
    const plan = await mirrored(() => fail.storageNotFound({ place: 'memory:', path: 'tree' }));
    expect(plan).toMatchObject({ files: [{ name: 'f000' }, { name: 'f001' }], extras: [], held: 0 });
  });

  test('that cannot be read is a failure, not an empty one', async () => {
    const denied = mirrored(() => fail.storageDenied({ place: 'memory:', path: 'tree', reason: 'no' }));
    await expect(denied).rejects.toMatchObject({ name: 'storage-denied' });
  });
});

describe('a source', () => {
  /** Each reading ends after so many bytes, as if all were there. */
  const shortened = async (most: number): Promise<Backend> => {
    const backend = memoryBackend(memoryStore(), () => 1);
    await backend.write('file', content(bytesOf(1000)), options);
    return {
      ...backend,
      read: async (path, call) => {
        const reading = await backend.read(path, call);
        return {
          ...reading,
          body: (async function* () {
            let left = most;
            for await (const piece of reading.body) {
              if (left > 0) yield piece.subarray(0, left);
              left -= piece.length;
            }
          })(),
        };
      },
    };
  };

  test('whose readings end early without a word is read on', async () => {
    const to = memoryBackend(memoryStore(), () => 1);
    await copyFile(quick(), { backend: await shortened(300), path: 'file' }, { backend: to, path: 'copy' });
    expect(await readAll(to, 'copy')).toEqual(bytesOf(1000));
  });

  test('that gives nothing more is told by its size', async () => {
    const to = memoryBackend(memoryStore(), () => 1);
    const copy = copyFile(quick(), { backend: await shortened(0), path: 'file' }, { backend: to, path: 'copy' });
    expect(await failureNamed(copy)).toBe('storage-size');
    expect(await to.stat('copy', options)).toBeUndefined();
  });

  test('is not to blame for what the target throws into its stream', async () => {
    const source = await withFiles(1);
    let tries = 0;
    const memory = memoryBackend(memoryStore(), () => 1);
    const to: Backend = {
      ...memory,
      write: async (path, given, call) => {
        const body = given.body[Symbol.asyncIterator]();
        tries += 1;
        if (tries > 1)
          return await memory.write(path, { ...given, body: { [Symbol.asyncIterator]: () => body } }, call);
        await body.next();
        // As streams of Node do with a source when their target breaks.
        await body.throw?.(new Error('write ECONNRESET')).catch(() => undefined);
        throw fail.storageBrokenOff({ place: 'memory:', reason: 'write ECONNRESET' });
      },
    };
    await copyFile(quick(), { backend: source, path: 'f000' }, { backend: to, path: 'copy' });
    expect([tries, await readAll(to, 'copy')]).toEqual([2, bytesOf(10)]);
  });
});
