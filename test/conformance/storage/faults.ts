import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import type { Backend, CallOptions } from '#stdlib/files/backends/backend.ts';
import { memoryBackend, memoryStore } from '#stdlib/files/backends/near/memory.ts';
import { copyFile } from '#stdlib/files/backends/transfer/copy-file.ts';

import type { CuttingProxy, ProxyReply } from '../../fixtures/cutting-proxy.ts';
import { ownTime } from '../../fixtures/own-time.ts';
import { bytesOf, content, failureNamed, listAll, readAll, tools, type StorageService } from './service.ts';

const { signal } = new AbortController();
const options = { signal };
/** A moment long ago: the service asks to wait until now, by its own clock. */
const LONG_AGO = 'Mon, 01 Jan 2001 00:00:00 GMT';

async function drained(pieces: AsyncIterable<unknown>): Promise<void> {
  for await (const piece of pieces) void piece;
}

/** Tests of what services and networks do to those who ask them. */
export function describeTroubles(service: () => StorageService, fresh: () => Promise<string>): void {
  const source = async (size: number): Promise<{ readonly backend: Backend; readonly path: string }> => {
    const backend = memoryBackend(memoryStore(), () => 1_600_000_000_000);
    await backend.write('file', content(bytesOf(size)), options);
    return { backend, path: 'file' };
  };
  const old = async (): Promise<string> => {
    const folder = await fresh();
    await service().backend.write(`${folder}/file`, content(new TextEncoder().encode('what was there')), options);
    return folder;
  };
  const isOld = async (folder: string): Promise<void> => {
    const { backend } = service();
    expect(new TextDecoder().decode(await readAll(backend, `${folder}/file`))).toBe('what was there');
    expect((await listAll(backend, folder)).map((entry) => entry.name)).toEqual(['file']);
  };
  /** Answers the next requests, whatever connections are open. */
  const answered = (...replies: readonly ProxyReply[]): CuttingProxy | undefined => {
    const { proxy } = service();
    proxy?.cutNow();
    proxy?.answer(...replies);
    return proxy;
  };

  describe('a service over HTTP', () => {
    test.each([
      [429, { 'retry-after': '0.2' }],
      [503, { 'retry-after': '0.2' }],
      // The clock of the service is years behind: what it asks for is told by that clock.
      [503, { date: LONG_AGO, 'retry-after': LONG_AGO }],
    ])('is asked again after %i with %j', async (status, headers) => {
      const { backend, replies } = service();
      if (!replies) return;
      const folder = await old();
      const began = performance.now();
      const proxy = answered({ status, headers });
      await copyFile(tools(), await source(100_000), { backend, path: `${folder}/file` });
      expect(proxy?.unasked).toBe(0);
      expect(performance.now() - began).toBeGreaterThan('date' in headers ? 0 : 190);
      expect(await readAll(backend, `${folder}/file`)).toEqual(bytesOf(100_000));
    });

    test('is left alone where it asks for more patience than there is', async () => {
      const { backend, replies } = service();
      if (!replies) return;
      const folder = await old();
      const proxy = answered({ status: 503, headers: { 'retry-after': '3600' } }, { status: 500 });
      const copy = copyFile(tools(), await source(100), { backend, path: `${folder}/file` });
      expect(await failureNamed(copy)).toBe('storage-unavailable');
      // Whatever came after was a look, or the removal of a part.
      proxy?.answer();
      await isOld(folder);
    });

    test('that has no more room is not asked again, and keeps what it has', async () => {
      const { backend, replies } = service();
      if (!replies) return;
      const folder = await old();
      const proxy = answered(replies.full);
      const copy = copyFile(tools(), await source(100_000), { backend, path: `${folder}/file` });
      expect(await failureNamed(copy)).toBe('storage-full');
      expect(proxy?.unasked).toBe(0);
      await isOld(folder);
    });

    test('whose login ends in the middle is signed in again, or told so', async () => {
      const { backend, replies, proxy } = service();
      if (!replies) return;
      const folder = await old();
      let moved = 0;
      const watched = tools({
        onBytes: (more) => {
          if (moved < 1_000_000 && moved + more >= 1_000_000) answered(replies.expired);
          moved += more;
        },
      });
      const outcome = await failureNamed(
        copyFile(watched, await source(9_000_000), { backend, path: `${folder}/file` }),
      );
      expect(proxy?.unasked).toBe(0);
      expect(['no failure', 'storage-login']).toContain(outcome);
      if (outcome === 'storage-login') await isOld(folder);
      else expect((await readAll(backend, `${folder}/file`)).length).toBe(9_000_000);
    });

    test('that refuses our clock is asked by its own', async () => {
      const { backend, replies } = service();
      if (!replies?.skewed) return;
      const folder = await old();
      const proxy = answered(replies.skewed);
      await copyFile(tools(), await source(1000), { backend, path: `${folder}/file` });
      expect(proxy?.unasked).toBe(0);
      expect(await readAll(backend, `${folder}/file`)).toEqual(bytesOf(1000));
    });
  });

  test('says that a disk is full, and leaves nothing there', async () => {
    const { backend, small } = service();
    if (small === undefined) return;
    const copy = copyFile(tools(), await source(3_000_000), { backend, path: `${small}/file` });
    expect(await failureNamed(copy)).toMatch(/^(?:storage-full|disk-full|Error: ENOSPC.*)$/);
    expect(await listAll(backend, small)).toEqual([]);
    await copyFile(tools(), await source(300_000), { backend, path: `${small}/file` });
    expect((await readAll(backend, `${small}/file`)).length).toBe(300_000);
  });

  test('tells a login that ends in the middle, and keeps what was there', async () => {
    const { backend, proxy, expire } = service();
    if (!expire) return;
    const folder = await old();
    let back: Promise<() => Promise<void>> | undefined;
    let moved = 0;
    const watched = tools({
      onBytes: (more) => {
        moved += more;
        if (moved < 1_000_000) return;
        back ??= expire().then((restore) => {
          proxy?.cutNow();
          return restore;
        });
      },
    });
    proxy?.slow(5);
    const outcome = await failureNamed(copyFile(watched, await source(9_000_000), { backend, path: `${folder}/file` }));
    proxy?.slow(0);
    await (
      await back
    )?.();
    expect(outcome).toBe('storage-login');
    const left = (await listAll(backend, folder)).map((entry) => entry.name);
    // A part could not be removed without a login.
    expect(left.filter((name) => !name.endsWith('.part'))).toEqual(['file']);
    expect(new TextDecoder().decode(await readAll(backend, `${folder}/file`))).toBe('what was there');
  });

  test('waits for a slow server', async () => {
    const { backend, proxy } = service();
    if (!proxy) return;
    const folder = await fresh();
    proxy.slow(15);
    try {
      await copyFile(tools(), await source(300_000), { backend, path: `${folder}/file` });
      expect(await readAll(backend, `${folder}/file`)).toEqual(bytesOf(300_000));
    } finally {
      proxy.slow(0);
    }
  });

  type Asking = (backend: Backend, folder: string, call: CallOptions) => Promise<unknown>;
  test.each<readonly [string, Asking]>([
    [
      'connects',
      async (backend, folder, call) => {
        await backend.close();
        await backend.stat(`${folder}/file`, call);
      },
    ],
    ['looks', (backend, folder, call) => backend.stat(`${folder}/file`, call)],
    ['lists', async (backend, folder, call) => await drained(backend.list(folder, call))],
    [
      'reads',
      async (backend, folder, call) => {
        const reading = await backend.read(`${folder}/file`, call);
        await drained(reading.body);
      },
    ],
    ['removes', (backend, folder, call) => backend.remove(`${folder}/file`, call)],
    [
      'copies',
      async (backend, folder, call) =>
        await copyFile(tools(call), await source(1_000_000), { backend, path: `${folder}/file` }),
    ],
  ])('is cancelled within a second while it %s and nothing answers', async (_what, work) => {
    const { backend, proxy } = service();
    if (!proxy) return;
    const folder = await old();
    const controller = new AbortController();
    proxy.hold(true);
    const done = failureNamed(work(backend, folder, { signal: controller.signal }));
    await sleep(40);
    const taken = ownTime();
    controller.abort(new Error('stopped'));
    const outcome = await done;
    const took = taken();
    proxy.hold(false);
    proxy.cutNow();
    await backend.close();
    expect(outcome).toBe('Error: stopped');
    expect(took).toBeLessThan(1000);
    await isOld(folder);
  });
}
