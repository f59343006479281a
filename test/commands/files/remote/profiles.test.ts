import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { PortContext } from '#runtime/kernel/ports.ts';
import type { Backend } from '#stdlib/files/backends/backend.ts';
import { storageSession } from '#stdlib/files/backends/session.ts';
import { provider } from '#stdlib/files/backends/storage/provider.ts';

import { startDropbox } from '../../../fixtures/drives/dropbox.ts';
import { lacksSshd, startSshd } from '../../../fixtures/sshd.ts';
import { failureOf, session } from '../../call.ts';

const open = { settings: { gates: { private: true } } };
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-profiles-'));
  await writeFile(join(folder, 'a.txt'), 'content');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('connections of one kind are told apart by name', async () => {
  await using one = await startDropbox();
  await using two = await startDropbox();
  await using unit = await session(open);
  const login = { oauth2_access_token: 'good-token' };
  await unit.call('FA_filesync_later_init', { ...login, endpoint_url: one.url });
  await unit.call('FA_filesync_later_init', { ...login, endpoint_url: two.url, profile: 'two' });
  await unit.call('FA_filesync_upload_file', { local_path: join(folder, 'a.txt'), remote_path: 'x', profile: 'two' });
  expect(await unit.call('FA_filesync_list_folder', {})).toEqual([]);
  expect(await unit.call('FA_filesync_list_folder', { profile: 'two' })).toEqual(['/x']);
  const unknown = await failureOf(unit.call('FA_filesync_list_folder', { profile: 'three' }));
  expect(unknown.message).toBe('There is no open connection to filesync with the profile "three".');
  await unit.end();
});

test.skipIf(lacksSshd())('an address goes over the connection to its host', { timeout: 30_000 }, async () => {
  await using one = await startSshd();
  await using two = await startSshd();
  await using unit = await session(open);
  for (const [profile, { port, user: username, keyFile: key_filename, knownHosts: known_hosts }] of [
    [null, one],
    ['two', two],
  ] as const)
    await unit.call('FA_sftp_later_init', { host: '127.0.0.1', port, username, key_filename, known_hosts, profile });
  await unit.call('FA_sftp_upload_file', { local_path: join(folder, 'a.txt'), remote_path: `${one.root}/from.txt` });
  await unit.call('FA_copy_between', {
    source: `sftp:${one.root}/from.txt`,
    target: `sftp://127.0.0.1:${two.port}${two.root}/to.txt`,
  });
  expect(await readFile(join(two.root, 'to.txt'), 'utf8')).toBe('content');
  const other = await failureOf(unit.call('FA_fs_exists', { url: 'sftp://127.0.0.1:9/x' }));
  expect(other.message).toContain('sftp://127.0.0.1');
  expect(await unit.call('FA_sftp_close', { profile: 'two' })).toBe(true);
  const closed = await failureOf(unit.call('FA_sftp_list_dir', { remote_path: two.root, profile: 'two' }));
  expect(closed.name).toBe('BackendNotReadyException');
  expect(await unit.call('FA_sftp_list_dir', { remote_path: one.root })).toContain('from.txt');
  await unit.end();
});

test('a row begins with the logins of the setup, whatever another row has opened, replaced or closed', async () => {
  const told: string[] = [];
  let beginRow = (): (() => Promise<void>) => async () => {};
  const context = { release: () => undefined, eachRow: (begin: typeof beginRow) => (beginRow = begin) };
  const own = storageSession<string, Backend>(context as unknown as PortContext, {
    name: 'sftp',
    open: async (login) => {
      told.push(`open ${login}`);
      return { place: login, close: async () => void told.push(`close ${login}`) } as unknown as Backend;
    },
  });
  const options = { signal: new AbortController().signal };
  await own.connect('b', options, 'x');
  await own.connect('a', options);
  expect(own.profiles()).toEqual([null, 'x']);
  const endRow = beginRow();
  await own.connect('c', options, 'x');
  await own.connect('d', options, 'y');
  await own.close();
  await endRow();
  expect(own.profiles()).toEqual([null, 'x']);
  expect((await own.current(options, 'x')).place).toBe('b');
  expect((await own.current(options)).place).toBe('a');
  expect(told).toEqual([
    ...['open b', 'open a'],
    ...['close b', 'open c', 'open d', 'close a', 'close c', 'close d', 'open b', 'open a'],
  ]);
});

test('an address is reached beside a connection that cannot be opened again', async () => {
  const down = new Error('the server is down');
  const sessions = {
    profiles: () => [null, 'there'],
    current: (_options: unknown, profile: string | null) =>
      profile === null ? Promise.reject(down) : Promise.resolve({ place: 'sftp://there.test' }),
  };
  const context = { settings: {}, mask: () => undefined, port: () => Promise.resolve(sessions) };
  const storage = await provider.open(context as unknown as PortContext);
  const call = { signal: new AbortController().signal };
  expect((await storage.open('sftp://there.test/x', {}, call)).path).toBe('/x');
  await expect(storage.open('sftp://other.test/x', {}, call)).rejects.toBe(down);
});
