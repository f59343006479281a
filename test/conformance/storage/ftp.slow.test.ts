import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { setTimeout as sleep } from 'node:timers/promises';

import { describe, expect, test } from 'vitest';

import type { Backend, CallOptions } from '#stdlib/files/backends/backend.ts';
import { memoryBackend, memoryStore } from '#stdlib/files/backends/near/memory.ts';
import { copyFile } from '#stdlib/files/backends/transfer/copy-file.ts';

import { cuttingProxy } from '../../fixtures/cutting-proxy.ts';
import { ftpDataProxy } from '../../fixtures/ftp-data-proxy.ts';
import { ownTime } from '../../fixtures/own-time.ts';
import { unansweredPort } from '../../fixtures/unanswered-port.ts';
import { lacksVsftpd, startVsftpd } from '../../fixtures/vsftpd.ts';
import { session, type Session } from '../../commands/session.ts';
import { describeBackend } from './backend.ts';
import { bytesOf, content, failureNamed, listAll, readAll, tools } from './service.ts';

const { signal } = new AbortController();

describe.skipIf(lacksVsftpd()).each([false, true])('vsftpd, TLS: %s', (tls) => {
  describeBackend(tls ? 'ftps' : 'ftp', async () => {
    const server = await startVsftpd({ tls });
    // Traffic within TLS cannot be led elsewhere: there the control connection alone is cut.
    const data = tls ? undefined : await ftpDataProxy(server.port);
    const proxy = await cuttingProxy(data?.port ?? server.port);
    const unit = await session({ settings: { gates: { private: true } } });
    const port = await unit.work.port('ftp', unit.work.linked);
    const { username, password, ca: verify } = server;
    const login = { host: '127.0.0.1', port: proxy.port, username, password, tls, verify, passive: true };
    const backend = await port.open({ ...login, timeoutMs: 10_000 }, { signal });
    await backend.makeFolder('top', { signal });
    return {
      backend,
      top: 'top',
      takesLarge: true,
      proxy,
      cut: (...bytes) => {
        proxy.cut(...bytes);
        data?.cut(...bytes);
      },
      expire: server.expire,
      // Each file would be a connection of its own, with a handshake.
      fill: async (folder, names) => {
        for (const name of names) await writeFile(join(server.root, folder, name), '');
      },
      [Symbol.asyncDispose]: async () => {
        await backend.close();
        await unit.end();
        await proxy[Symbol.asyncDispose]();
        await data?.[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  });
});

/** Signs in through the proxy, without TLS. */
async function backendBehind(
  { username, password }: Pick<Awaited<ReturnType<typeof startVsftpd>>, 'username' | 'password'>,
  { port }: Awaited<ReturnType<typeof ftpDataProxy>>,
  unit: Session,
): Promise<Backend> {
  const login = { host: '127.0.0.1', port, username, password, tls: false, verify: true, passive: true };
  return await (await unit.work.port('ftp', unit.work.linked)).open({ ...login, timeoutMs: 5000 }, { signal });
}

test.skipIf(lacksVsftpd())('data connections that are refused are told, and nothing is left', async () => {
  await using server = await startVsftpd();
  await using proxy = await ftpDataProxy(server.port);
  await using unit = await session({ settings: { gates: { private: true } } });
  const backend = await backendBehind(server, proxy, unit);
  const write = (): Promise<unknown> => backend.write('file', content(bytesOf(1000)), { signal });
  for (const [answer, name, commands] of [
    ['552 Exceeded storage allocation.', 'storage-full', /^STOR /],
    ['452 Insufficient storage space.', 'storage-full', /^STOR /],
    ['553 Not allowed.', 'storage-denied', /^STOR /],
    ['502 Command not implemented.', 'storage-cannot'],
    ['425 Cannot open data connection.', 'storage-broken-off'],
    ['421 Too many connections.', 'storage-unavailable'],
    ['227 Entering Passive Mode (10,0,0,1,9,9).', 'storage-answer'],
    ['227 Nothing that could be read.', 'storage-answer'],
  ] as const) {
    proxy.refuse(answer, commands);
    expect(await failureNamed(write()), answer).toBe(name);
  }
  proxy.refuse(undefined);
  expect(await listAll(backend, '')).toEqual([]);
  await write();
  expect(await readAll(backend, 'file')).toEqual(bytesOf(1000));
});

test.skipIf(lacksVsftpd())('what is refused where nothing is yet is not called missing', async () => {
  await using server = await startVsftpd();
  await using proxy = await ftpDataProxy(server.port);
  await using unit = await session({ settings: { gates: { private: true } } });
  const backend = await backendBehind(server, proxy, unit);
  await backend.write('file', content(bytesOf(3)), { signal });
  proxy.refuse('550 Create directory operation failed.', /^MKD /);
  const made = await backend.makeFolder('new', { signal }).catch((error: unknown) => error);
  expect(String(made)).toContain('refused "new": 550 Create directory operation failed.');
  expect(String(made)).not.toContain('..');
  proxy.refuse('550 Permission denied.', /^MKD /);
  expect(await failureNamed(backend.makeFolder('new', { signal }))).toBe('storage-denied');
  proxy.refuse('550 Rename failed.', /^RNTO /);
  const rename = async (from: string, to: string): Promise<void> => backend.rename?.(from, to, { signal });
  expect(await failureNamed(rename('file', 'x'.repeat(300)))).toBe('storage-rejected');
  expect(await failureNamed(rename('file', 'none/file'))).toBe('storage-not-found');
  proxy.refuse(undefined);
  await expect(rename('none', 'new')).rejects.toThrow('nothing at "none"');
});

test.skipIf(lacksVsftpd()).each([false, true])(
  'what a cancelled upload has left is removed without another login, TLS: %s',
  async (tls) => {
    await using server = await startVsftpd({ tls });
    await using unit = await session({ settings: { gates: { private: true } } });
    const { port, username, password, ca: verify, root } = server;
    const login = { host: '127.0.0.1', port, username, password, tls, verify, passive: true };
    const opened = (await unit.work.port('ftp', unit.work.linked)).open({ ...login, timeoutMs: 30_000 }, { signal });
    const backend = await opened;
    const files = memoryBackend(memoryStore(), () => 1);
    await files.write('file', content(bytesOf(9_000_000)), { signal });
    const controller = new AbortController();
    const stop = async (): Promise<void> => {
      if (controller.signal.aborted) return;
      expect(readdirSync(root)).toEqual([expect.stringMatching(/^\.svc-\w+\.part$/)]);
      await server.expire();
      controller.abort(new Error('stopped'));
    };
    let moved = 0;
    const pace = {
      take: async (bytes: number) => {
        moved += bytes;
        if (moved > 5_000_000) await stop();
      },
    };
    const copied = copyFile(
      tools({ signal: controller.signal, pace: pace as never }),
      { backend: files, path: 'file' },
      { backend, path: 'file' },
    );
    await expect(copied).rejects.toThrow('stopped');
    expect(readdirSync(root)).toEqual([]);
  },
);

test.skipIf(lacksVsftpd())('a transfer is cancelled at once while its data connection is not answered', async () => {
  await using server = await startVsftpd();
  await using proxy = await ftpDataProxy(server.port);
  await using unit = await session({ settings: { gates: { private: true } } });
  await using unanswered = await unansweredPort();
  const { username, password } = server;
  const login = { host: '127.0.0.1', port: proxy.port, username, password, tls: false, verify: true, passive: true };
  const opened = (await unit.work.port('ftp', unit.work.linked)).open({ ...login, timeoutMs: 30_000 }, { signal });
  const backend = await opened;
  const asked = proxy.refuse(`229 Entering Extended Passive Mode (|||${unanswered.port}|)`);
  for (const work of [
    (call: CallOptions) => backend.write('file', content(bytesOf(1000)), call),
    (call: CallOptions) => readAll(backend, 'file', 0, call.signal),
  ]) {
    const controller = new AbortController();
    const outcome = failureNamed(work({ signal: controller.signal }));
    await Promise.all([asked(), sleep(20)]);
    const taken = ownTime();
    controller.abort(new Error('stopped'));
    expect(await outcome).toBe('Error: stopped');
    expect(taken()).toBeLessThan(1000);
  }
});

test.skipIf(lacksVsftpd()).each([false, true])(
  'pieces stay as they are until the next is asked for, however late that is, TLS: %s',
  async (tls) => {
    await using server = await startVsftpd({ tls });
    await using unit = await session({ settings: { gates: { private: true } } });
    const { port, username, password, ca: verify, root } = server;
    const login = { host: '127.0.0.1', port, username, password, tls, verify, passive: true };
    const backend = await (
      await unit.work.port('ftp', unit.work.linked)
    ).open({ ...login, timeoutMs: 5000 }, { signal });
    const bytes = bytesOf(5_000_000);
    await writeFile(join(root, 'file'), bytes);
    const { body } = await backend.read('file', { signal });
    let at = 0;
    for await (const piece of body) {
      await sleep(at < 2_000_000 ? 20 : 0);
      expect(Buffer.compare(piece, bytes.subarray(at, at + piece.length))).toBe(0);
      at += piece.length;
    }
    expect(at).toBe(bytes.length);
  },
);
