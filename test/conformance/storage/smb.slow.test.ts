import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { Failure } from '#schemas/types/failure.ts';

import { cuttingProxy } from '../../fixtures/cutting-proxy.ts';
import { smallDisk } from '../../fixtures/small-disk.ts';
import { lacksSmbd, startSmbd } from '../../fixtures/smbd.ts';
import { session } from '../../commands/session.ts';
import { describeBackend } from './backend.ts';

describe.skipIf(lacksSmbd())('samba', () => {
  describeBackend('smb', async () => {
    const server = await startSmbd();
    const proxy = await cuttingProxy(server.port);
    const unit = await session({ settings: { gates: { private: true } } });
    const { signal } = new AbortController();
    const port = await unit.work.port('smb', unit.work.linked);
    const { username, password, root } = server;
    const login = { server: '127.0.0.1', share: '/share/', port: proxy.port, username, password, timeoutMs: 10_000 };
    const backend = await port.open({ ...login, encrypt: true }, { signal });
    await backend.makeFolder('top', { signal });
    const disk = await smallDisk(join(root, 'small'));
    return {
      backend,
      top: 'top',
      takesLarge: true,
      proxy,
      ...(disk && { small: 'small' }),
      expire: server.expire,
      cut: proxy.cut,
      // The protocol has no names with these; of those that end with a dot the server makes others.
      cannotHold: (name) => /["*:<>?|\\]|\.$/.test(name),
      // Each file would be a program of its own.
      fill: async (folder, names) => {
        for (const name of names) await writeFile(join(root, folder, name), '');
      },
      [Symbol.asyncDispose]: async () => {
        await backend.close();
        await unit.end();
        await proxy[Symbol.asyncDispose]();
        await disk?.[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  });

  test('is asked without encryption where that is wanted, and refused where it has none', async () => {
    await using server = await startSmbd({ encrypt: 'off' });
    await using unit = await session({ settings: { gates: { private: true } } });
    const { username, password } = server;
    const login = { server: '127.0.0.1', share: 'share', port: server.port, username, password };
    await unit.call('FA_smb_later_init', { ...login, encrypt: false });
    await unit.call('FA_smb_create_dir', { remote_path: 'a\\b' });
    expect(await unit.call('FA_smb_list_dir')).toEqual([{ name: 'a', is_dir: true, size: null }]);
    const seen = (await everyProcess()).filter(
      (text) => text.includes(`smbclient\0`) && text.includes(`${server.port}`),
    );
    expect(seen).not.toEqual([]);
    for (const text of seen) expect(text).not.toContain(password);
    expect(await nameOf(unit.call('FA_smb_later_init', { ...login, encrypt: true }))).toBe('storage-cannot');
    expect(await nameOf(unit.call('FA_smb_later_init', { ...login, encrypt: false, password: 'no' }))).toBe(
      'storage-login',
    );
    expect(await nameOf(unit.call('FA_smb_later_init', { ...login, encrypt: false, share: 'none' }))).toBe(
      'storage-not-found',
    );
  });

  test('knows the blanks at the ends of names, so that a tree with them can be deleted', async () => {
    await using server = await startSmbd();
    await using unit = await session({ settings: { gates: { private: true } } });
    const { username, password, port } = server;
    await unit.call('FA_smb_later_init', { server: '127.0.0.1', share: 'share', port, username, password });
    const names = ['one ', 'three   ', 'one', 'none', ' first', `${'long'.repeat(10)} `, '  '];
    const files = [...names.map((name) => `file ${name}`), ...names].sort();
    await mkdir(join(server.root, 'tree', 'folder '), { recursive: true });
    for (const name of files) {
      await writeFile(join(server.root, 'tree', name), '');
      await writeFile(join(server.root, 'tree', 'folder ', name), '');
    }
    const listed = (await unit.call('FA_smb_list_dir', { remote_path: 'tree/folder ' })) as { name: string }[];
    expect(listed.map(({ name }) => name).sort()).toEqual(files);
    const url = `smb://127.0.0.1:${port}/tree`;
    const storage_options = { username, password, share: 'share' };
    await unit.call('FA_fs_delete_path', { url, storage_options, recursive: true });
    expect(await readdir(server.root)).toEqual([]);
  });

  test('is not started where the gate is denied, nor does it take a share that is none', async () => {
    await using unit = await session({ settings: { gates: { private: true, shell: false } } });
    const login = { server: '127.0.0.1', share: 'share' };
    expect(await nameOf(unit.call('FA_smb_later_init', login))).toBe('gate-closed');
    expect(await nameOf(unit.call('FA_smb_later_init', { ...login, share: 'a;b' }))).toBe('ValidationException');
  });
});

/** Arguments and environment of every process, as others on the machine may see them. */
async function everyProcess(): Promise<readonly string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
  return await Promise.all(
    ids.map(async (id) => (await read(`/proc/${id}/cmdline`)) + (await read(`/proc/${id}/environ`))),
  );
}

async function nameOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  return error instanceof Failure ? error.facts.name : String(error);
}
