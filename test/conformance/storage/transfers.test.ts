import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import type { PartRemoval } from '#runtime/services/uploads/port.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Backend } from '#stdlib/files/backends/backend.ts';
import { memoryBackend, memoryStore } from '#stdlib/files/backends/near/memory.ts';
import type { TransferTools } from '#stdlib/files/backends/transfer/job.ts';
import { copyFile } from '#stdlib/files/backends/transfer/copy-file.ts';
import { copyTree, planTree } from '#stdlib/files/backends/transfer/copy-tree.ts';

import { ownTime } from '../../fixtures/own-time.ts';
import { bytesOf, content, failureNamed, noUploads, readAll, tools } from './service.ts';

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

describe('a file that may not be written', () => {
  /** The failure of a copy to `to/b`, where writing or renaming is refused. */
  async function refused(failing: (path: string) => unknown, call: 'write' | 'rename'): Promise<unknown> {
    const near = memoryBackend(memoryStore(), () => 1);
    await near.makeFolder('to', options);
    await near.write('a', content(bytesOf(9)), options);
    const to: Backend = {
      ...near,
      can: { ...near.can, rename: true },
      rename: async () => {},
      [call]: async (path: string) => Promise.reject(failing(path)),
    };
    return await copyFile(tools(), { backend: near, path: 'a' }, { backend: to, path: 'to/b' }).catch(
      (error: unknown) => error,
    );
  }
  const denied = (path: string) =>
    fail.storageDenied({ place: 'smb://x', path, reason: `NT_STATUS_ACCESS_DENIED opening \\${path}` });

  test.each(['write', 'rename'] as const)('is told by its own name: %s', async (call) => {
    const error = await refused(denied, call);
    expect(error).toMatchObject({ name: 'storage-denied', facts: { code: 'SVC88103' } });
    // The service's own words are left as they are.
    expect(String(error)).toMatch(
      /smb:\/\/x does not allow this at "to\/b": NT_STATUS_ACCESS_DENIED opening \\to\/\.svc-\w+\.part\.$/,
    );
  });

  test('also where the system refuses it', async () => {
    const error = await refused(
      (path) =>
        Object.assign(new Error(`EACCES: permission denied, open '/top/${path}'`), {
          code: 'EACCES',
          path: `/top/${path}`,
        }),
      'write',
    );
    expect(error).toMatchObject({ code: 'EACCES', path: '/top/to/b' });
    expect(String(error)).toBe("Error: EACCES: permission denied, open '/top/to/b'");
  });
});

describe('a transfer that is cancelled', () => {
  /** A service that takes a while to remove: it does so when the second promise is resolved. */
  async function cancelled(uploads: TransferTools['uploads']) {
    const [began, removed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const controller = new AbortController();
    let removal: AbortSignal | undefined;
    const near = memoryBackend(memoryStore(), () => 1);
    const to: Backend = {
      ...near,
      can: { ...near.can, rename: true },
      write: async (_path, _content, { signal }) => {
        began.resolve();
        await once(signal, 'abort');
        throw signal.reason;
      },
      remove: async (_path, { signal }) => {
        removal = signal;
        await Promise.race([removed.promise, once(signal, 'abort').then(() => Promise.reject(new Error('late')))]);
      },
    };
    const places = [
      { backend: await withFiles(1), path: 'f000' },
      { backend: to, path: 'file' },
    ] as const;
    const copying = copyFile(tools({ signal: controller.signal, uploads }), ...places);
    await began.promise;
    const taken = ownTime();
    controller.abort(new Error('stopped'));
    await expect(copying).rejects.toThrow('stopped');
    expect(taken()).toBeLessThan(1000);
    return { remove: () => removed.resolve(), isStopped: () => removal?.aborted };
  }

  test('ends within a second, and what it leaves is removed while the unit goes on', async () => {
    const left: PartRemoval[] = [];
    const { remove, isStopped } = await cancelled({ ...noUploads, leavesPart: (removal) => left.push(removal) });
    expect([left.length, isStopped()]).toEqual([1, false]);
    remove();
    expect(await left[0]?.gone).toBe(true);
  });

  test('leaves a part to the next transfer where the unit ends before', async () => {
    const left: PartRemoval[] = [];
    const { isStopped } = await cancelled({ ...noUploads, leavesPart: (removal) => left.push(removal) });
    left[0]?.stop();
    expect([await left[0]?.gone, isStopped()]).toEqual([false, true]);
  });

  test('stops the removal where nobody notes what is left', async () => {
    const { isStopped } = await cancelled(undefined);
    expect(isStopped()).toBe(true);
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

describe('a tree', () => {
  test('is copied by four at once, its folders too', async () => {
    const from = memoryBackend(memoryStore(), () => 1);
    for (let index = 0; index < 12; index += 1) {
      await from.makeFolder(`d${index}`, options);
      await from.write(`d${index}/file`, content(bytesOf(1)), options);
    }
    const near = memoryBackend(memoryStore(), () => 1);
    const most = { folders: 0, files: 0 };
    const counted =
      <Given extends readonly unknown[], Result>(kind: keyof typeof most, work: (...given: Given) => Promise<Result>) =>
      async (...given: Given): Promise<Result> => {
        running[kind] += 1;
        most[kind] = Math.max(most[kind], running[kind]);
        await setImmediate();
        running[kind] -= 1;
        return await work(...given);
      };
    const running = { folders: 0, files: 0 };
    const to: Backend = {
      ...near,
      makeFolder: counted('folders', near.makeFolder),
      write: counted('files', near.write),
    };
    const places = [
      { backend: from, path: '' },
      { backend: to, path: '' },
    ] as const;
    const done = await copyTree(tools(), ...places, await planTree(tools(), ...places, {}));
    expect([done.copied.length, most]).toEqual([12, { folders: 4, files: 4 }]);
  });
});

describe('a source', () => {
  test('that is no file here is looked at once', async () => {
    const near = await withFiles(1);
    let looks = 0;
    const from: Backend = { ...near, stat: async (...given) => ((looks += 1), await near.stat(...given)) };
    const to = memoryBackend(memoryStore(), () => 1);
    await copyFile(tools(), { backend: from, path: 'f000' }, { backend: to, path: 'copy' });
    expect(looks).toBe(1);
  });

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
