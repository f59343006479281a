import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, afterAll, describe, expect, test } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { Backend } from '#stdlib/files/backends/backend.ts';
import { localBackend } from '#stdlib/files/backends/near/local.ts';
import { Pace } from '#stdlib/files/backends/transfer/pace.ts';
import { copyFile } from '#stdlib/files/backends/transfer/copy-file.ts';

import { session } from '../../commands/session.ts';
import { cuttingProxy, type CuttingProxy } from '../../fixtures/cutting-proxy.ts';
import { smallDisk } from '../../fixtures/small-disk.ts';
import { lacksSmbd, startSmbd } from '../../fixtures/smbd.ts';
import { bytesOf, failureNamed, tools } from './service.ts';

const SIZE = 3_000_000;
const LARGE = bytesOf(SIZE);

/** Transfers between a share and files of this machine, whose bytes the program moves by itself. */
describe.skipIf(lacksSmbd())('a file that smbclient reads or writes itself', () => {
  const held = new AsyncDisposableStack();
  let share: string;
  let proxy: CuttingProxy;
  let backend: Backend;

  beforeAll(async () => {
    const server = held.use(await startSmbd());
    share = server.root;
    proxy = held.use(await cuttingProxy(server.port));
    const unit = await session({ settings: { gates: { private: true } } });
    held.defer(() => unit.end());
    const { username, password } = server;
    const login = { server: '127.0.0.1', share: 'share', port: proxy.port, username, password, timeoutMs: 10_000 };
    const port = await unit.work.port('smb', unit.work.linked);
    backend = await port.open({ ...login, encrypt: true }, { signal: new AbortController().signal });
    held.defer(() => backend.close());
  });
  afterAll(() => held.disposeAsync());

  async function folder() {
    const path = await mkdtemp(join(tmpdir(), 'svc-smb-near-'));
    return {
      path,
      near: { ...localBackend(nodeHost().files, { cwd: path }), read: refused },
      [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
    };
  }
  /** Bytes are not read on this side. */
  const refused = (): never => {
    throw new Error('the bytes were read here');
  };
  const shared = async (name: string): Promise<void> => {
    await writeFile(join(share, name), LARGE);
    await utimes(join(share, name), 1e9, 1e9);
  };

  test('is sent with its time, and its progress adds up to its size', async () => {
    await using own = await folder();
    const path = join(own.path, 'file');
    await writeFile(path, LARGE);
    await utimes(path, 1e9, 1e9);
    let moved = 0;
    const counted = tools({ onBytes: (bytes) => (moved += bytes) });
    for (const name of ['sent', 'a; b !c'])
      await copyFile(counted, { backend: own.near, path }, { backend, path: name });
    expect(moved).toBe(2 * SIZE);
    for (const name of ['sent', 'a; b !c']) {
      expect(LARGE).toEqual(new Uint8Array(await readFile(join(share, name))));
      expect((await stat(join(share, name))).mtimeMs).toBe(1e12);
    }
    expect((await readdir(share)).filter((name) => name.startsWith('.svc-'))).toEqual([]);
  });

  test('comes with its time in place of the old one, whose bits and link stay', async () => {
    await using own = await folder();
    await shared('fetched');
    await mkdir(join(own.path, 'there'));
    await writeFile(join(own.path, 'there', 'old'), 'old');
    await chmod(join(own.path, 'there', 'old'), 0o640);
    await symlink('there/old', join(own.path, 'link'));
    let moved = 0;
    const counted = tools({ onBytes: (bytes) => (moved += bytes) });
    const from = { backend: { ...reading(backend), read: refused }, path: 'fetched' };
    for (const name of ['link', 'new/below/file'])
      await copyFile(counted, from, { backend: own.near, path: join(own.path, name) });
    expect(moved).toBe(2 * SIZE);
    expect((await lstat(join(own.path, 'link'))).isSymbolicLink()).toBe(true);
    const old = await stat(join(own.path, 'there', 'old'));
    expect([old.mode & 0o777, old.mtimeMs]).toEqual([0o640, 1e12]);
    for (const name of ['there/old', 'new/below/file'])
      expect(LARGE).toEqual(new Uint8Array(await readFile(join(own.path, name))));
    expect(await readdir(join(own.path, 'there'))).toEqual(['old']);
  });

  test('passes through here where a limit on the rate holds it up, and where its path fits into no command', async () => {
    await using own = await folder();
    await shared('paced');
    const near = localBackend(nodeHost().files, { cwd: own.path });
    const paced = tools({ pace: new Pace(nodeHost().clock, 1e9) });
    const unpaced = tools();
    const named = 'a "quoted" folder';
    await mkdir(join(own.path, named));
    for (const [given, name] of [
      [paced, 'file'],
      [unpaced, join(named, 'file')],
    ] as const) {
      const path = join(own.path, name);
      let begun = 0;
      const from = {
        ...reading(backend),
        read: async (...asked: Parameters<Backend['read']>) => ((begun += 1), await backend.read(...asked)),
      };
      await copyFile(given, { backend: from, path: 'paced' }, { backend: near, path });
      expect([name, begun, LARGE]).toEqual([name, 1, new Uint8Array(await readFile(path))]);
      await copyFile(given, { backend: near, path }, { backend, path: 'back' });
      expect(LARGE).toEqual(new Uint8Array(await readFile(join(share, 'back'))));
    }
  });

  test('that a disk of this side does not hold fails with the words of the disk, and leaves nothing', async ({
    skip,
  }) => {
    await using own = await folder();
    await shared('wide');
    await using disk = await smallDisk(join(own.path, 'small'));
    if (!disk) return skip('no disk can be mounted here');
    const path = join(own.path, 'small', 'file');
    const copy = copyFile(tools(), { backend, path: 'wide' }, { backend: own.near, path });
    expect(await failureNamed(copy)).toMatch(/ENOSPC/);
    expect(await readdir(join(own.path, 'small'))).toEqual([]);
  });

  test('is moved again where the connection breaks off', async () => {
    await using own = await folder();
    await shared('broken');
    const path = join(own.path, 'file');
    proxy.cut(1_000_000, 1_000_000);
    proxy.cutNow();
    await copyFile(tools({ hurries: true }), { backend, path: 'broken' }, { backend: own.near, path });
    expect(LARGE).toEqual(new Uint8Array(await readFile(path)));
    proxy.cut(1_000_000, 1_000_000);
    proxy.cutNow();
    await copyFile(tools({ hurries: true }), { backend: own.near, path }, { backend, path: 'mended' });
    expect(LARGE).toEqual(new Uint8Array(await readFile(join(share, 'mended'))));
    // Nothing is left for the connections of others.
    proxy.cut();
  });

  test.each(['sent', 'fetched'] as const)('is stopped while it is %s, and leaves nothing', async (way) => {
    await using own = await folder();
    await shared('stopped');
    const near = join(own.path, 'near');
    if (way === 'sent') await writeFile(near, LARGE);
    const places = [
      { backend: own.near, path: near },
      { backend, path: way === 'sent' ? 'new' : 'stopped' },
    ] as const;
    const [from, to] = way === 'sent' ? places : places.toReversed();
    const before = proxy.connections;
    const controller = new AbortController();
    if (!from || !to) throw new Error('two places');
    proxy.slow(50);
    try {
      const copy = failureNamed(copyFile(tools({ signal: controller.signal }), from, to));
      await expect.poll(() => proxy.connections, { timeout: 20_000 }).toBeGreaterThan(before);
      controller.abort(new Error('stopped'));
      expect(await copy).toBe('Error: stopped');
    } finally {
      proxy.slow(0);
    }
    expect(await readdir(own.path)).toEqual(way === 'sent' ? ['near'] : []);
    expect((await readdir(share)).filter((name) => name === 'new')).toEqual([]);
  });
});

/** The same backend as an object whose functions can be replaced one by one. */
function reading(backend: Backend): Backend {
  return Object.assign(Object.create(backend) as Backend, {
    place: backend.place,
    can: backend.can,
    stat: backend.stat.bind(backend),
    readInto: backend.readInto?.bind(backend),
  });
}
