import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import * as svc from '#compiler/library/files.ts';

import { lacksRclone, startRcloneWebdav, type WebdavServer } from '../fixtures/rclone-webdav.ts';
import { lacksSmbd, startSmbd } from '../fixtures/smbd.ts';
import { lacksSshd, startSshd } from '../fixtures/sshd.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-remote-'));
  mkdirSync(join(folder, 'tree/sub'), { recursive: true });
  writeFileSync(join(folder, 'tree/a.txt'), 'a');
  writeFileSync(join(folder, 'tree/sub/b.txt'), 'b');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(lacksRclone())('a WebDAV client', () => {
  let server: WebdavServer;
  beforeAll(async () => {
    server = await startRcloneWebdav();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('keeps one connection for its operations, and lets go of it', async () => {
    const { port, username, password, root } = server;
    await using client = new svc.WebDAVClient(`http://127.0.0.1:${port}/dav`, {
      username,
      password,
      allow_private_hosts: true,
    });
    await expect(client.call('exists', { remote_path: 'a.txt' })).rejects.toMatchObject({
      name: 'BackendNotReadyException',
    });
    await client.later_init();
    await client.call('upload_file', { local_path: join(folder, 'tree/a.txt'), remote_path: 'a.txt' });
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('a');
    expect(await client.call('exists', { remote_path: 'a.txt' })).toBe(true);
    const address = `http://127.0.0.1:${port}/dav/a.txt`;
    expect(await client.call('exists', { remote_path: address })).toBe(true);
    for (const remote_path of [`${address}?version=2`, `${address}#part`])
      await expect(client.call('delete_path', { remote_path })).rejects.toThrow('"?" and "#" encoded');
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('a');
    await client.close();
    await expect(client.call('exists', { remote_path: 'a.txt' })).rejects.toMatchObject({
      name: 'BackendNotReadyException',
    });
  });

  it('connects by itself for the functions that the specification names', async () => {
    const { port, username, password } = server;
    const login = { username, password, allow_private_hosts: true };
    await using client = new svc.WebDAVClient(`http://127.0.0.1:${port}/dav`, login);
    expect(() => client.require()).toThrow(expect.objectContaining({ name: 'BackendNotReadyException' }));
    await Promise.all([client.mkcol('one'), client.mkcol('two')]);
    expect(client.require()).toBe(client);
    await client.upload(join(folder, 'tree/a.txt'), 'one/a.txt');
    await client.download('one/a.txt', join(folder, 'back.txt'));
    expect(readFileSync(join(folder, 'back.txt'), 'utf8')).toBe('a');
    expect(JSON.stringify(await client.list_dir('one'))).toContain('a.txt');
    await client.delete('one/a.txt');
    expect(await client.exists('one/a.txt')).toBe(false);
    await client.close();
    expect(() => client.require()).toThrow();
    expect(await client.exists('two')).toBe(true);
  });

  it('refuses wrong passwords and private places', async () => {
    const { port, username } = server;
    const address = `http://127.0.0.1:${port}/dav`;
    await using wrong = new svc.WebDAVClient(address, { username, password: 'x', allow_private_hosts: true });
    await expect(wrong.later_init()).rejects.toMatchObject({ facts: { code: 'SVC88102' } });
    await using local = new svc.WebDAVClient(address, { username, password: 'x' });
    await expect(local.later_init()).rejects.toMatchObject({ name: 'UrlValidationException' });
    await expect(local.exists('a')).rejects.toMatchObject({ name: 'UrlValidationException' });
  });
});

describe('walk_and_upload', () => {
  it('sends each file, and tells which failed', async () => {
    const seen: string[] = [];
    const walked = await svc.walk_and_upload(
      join(folder, 'tree'),
      'remote//',
      (prefix, name) => `${prefix}/${name}`,
      (_path, remote) => {
        seen.push(remote);
        if (remote.endsWith('b.txt')) throw new Error('full');
        return true;
      },
    );
    expect(seen.toSorted()).toEqual(['remote/a.txt', 'remote/sub/b.txt']);
    expect(walked).toEqual({
      source: join(folder, 'tree'),
      prefix: 'remote',
      uploaded: ['remote/a.txt'],
      sent: ['a.txt'],
      failed: [{ path: 'sub/b.txt', reason: 'full' }],
    });
    const none = svc.walk_and_upload(join(folder, 'none'), '', String, () => true);
    await expect(none).rejects.toMatchObject({ name: 'DirNotExistsException' });
  });
});

describe('get_fs', () => {
  it('gives the filesystem of a bare scheme, of memory and of this machine', async () => {
    await using memory = await svc.get_fs('memory');
    expect([memory.address, await memory.list_dir()]).toEqual(['memory:/', []]);
    expect(await memory.upload_file(join(folder, 'tree/a.txt'), '/deep/a.txt')).toBe(null);
    expect(await memory.upload_dir(join(folder, 'tree'), 'all')).toHaveLength(2);
    await memory.create_dir('empty');
    expect((await memory.list_dir()).map(({ name }) => name)).toEqual(['all', 'deep', 'empty']);
    await memory.download_file('deep/a.txt', join(folder, 'fetched.txt'));
    expect(await readFile(join(folder, 'fetched.txt'), 'utf8')).toBe(
      await readFile(join(folder, 'tree/a.txt'), 'utf8'),
    );
    await memory.delete_path('deep', { recursive: true });
    expect(await memory.exists('deep/a.txt')).toBe(false);
    await using near = await svc.get_fs(folder);
    expect([await near.exists('tree/a.txt'), await near.exists('tree/none.txt')]).toEqual([true, false]);
    await expect(near.list_dir('none')).rejects.toMatchObject({ name: 'FileNotExistsException' });
    await expect(memory.list_dir('none')).rejects.toMatchObject({ name: 'FilesystemException' });
  });

  it('rejects for an address that is none, and for a server without a login', async () => {
    await expect(svc.get_fs('gopher://host/x')).rejects.toMatchObject({ name: 'FilesystemException' });
    await expect(svc.get_fs('sftp')).rejects.toMatchObject({ name: 'BackendNotReadyException' });
  });

  it.skipIf(lacksSshd())('signs in to a server', { timeout: 30_000 }, async () => {
    await using server = await startSshd();
    const { port, user: username, keyFile: key_filename, knownHosts: known_hosts, root } = server;
    const open = { settings: { gates: { private: true } } };
    const address = `sftp://127.0.0.1:${port}${root}`;
    await using remote = await svc.get_fs(address, { username, key_filename, known_hosts }, open);
    await remote.upload_file(join(folder, 'tree/a.txt'), 'sub/a.txt');
    expect(await remote.list_dir('sub')).toMatchObject([{ name: 'a.txt', is_dir: false }]);
    expect(await readFile(join(root, 'sub/a.txt'), 'utf8')).toBe(await readFile(join(folder, 'tree/a.txt'), 'utf8'));
  });
});

it.skipIf(lacksSmbd())('an SMB client does all its operations on a share', { timeout: 60_000 }, async () => {
  await using server = await startSmbd();
  const { port, username, password, root } = server;
  const open = { settings: { gates: { private: true, shell: true } } };
  await using client = new svc.SMBClient('127.0.0.1', 'share', { port, username, password }, open);
  await client.later_init();
  await client.mkdir('sub');
  await client.upload(join(folder, 'tree/a.txt'), 'sub/a.txt');
  expect(await readFile(join(root, 'sub/a.txt'), 'utf8')).toBe('a');
  expect([await client.exists('sub/a.txt'), await client.exists('none')]).toEqual([true, false]);
  expect(JSON.stringify(await client.list_dir('sub'))).toContain('a.txt');
  await client.download('sub/a.txt', join(folder, 'from-share.txt'));
  expect(await readFile(join(folder, 'from-share.txt'), 'utf8')).toBe('a');
  await client.delete('sub/a.txt');
  await client.rmdir('sub');
  expect(await client.exists('sub')).toBe(false);
});

it('an SMB client and a shared connection are not ready before they have connected', async () => {
  expect(() => svc.sftp_instance.require()).toThrow(expect.objectContaining({ name: 'BackendNotReadyException' }));
  await using client = new svc.SMBClient('127.0.0.1', 'share', {}, { settings: { gates: { shell: false } } });
  for (const name of ['exists', 'upload', 'download', 'delete', 'mkdir', 'rmdir', 'list_dir'] as const)
    await expect(client[name]('a', 'b')).rejects.toMatchObject({
      facts: { code: expect.stringMatching(/^SVC/) as string },
    });
});

describe('action servers', () => {
  it('are asked by a client', async () => {
    const session = await svc.Session.open({ settings: { gates: { listen: true } as never } });
    try {
      const { port } = (await session.action('FA_http_server_start', { port: 0, shared_secret: 's3cret' })) as {
        port: number;
      };
      const client = new svc.HTTPActionClient(`http://127.0.0.1:${port}`, { shared_secret: 's3cret' });
      expect(await client.ping()).toBe(true);
      const answer = await client.execute([['AT_set_variable', { name: 'a', value: 1 }]]);
      expect(JSON.stringify(answer)).toContain('"ok"');
      const { value } = await client.call('FA_safe_join', { base: '.', user_path: 'a/b' });
      expect(value?.endsWith('/a/b')).toBe(true);
      expect(await client.call('FA_quota_check_size', { max_bytes: 1, nbytes: 2 })).toMatchObject({
        status: 'error',
        error: { type: 'QuotaExceededException' },
      });
      // @ts-expect-error -- parameters are those of the declaration
      await expect(client.call('FA_safe_join', { base: '.' })).rejects.toMatchObject({ status: 422 });
      const stranger = new svc.HTTPActionClient(`http://127.0.0.1:${port}`);
      await expect(stranger.execute([['AT_set_variable', ['a', 1]]])).rejects.toMatchObject({
        name: 'HTTPActionClientException',
        message: expect.stringMatching(/: status 401, [^.]+ \(unauthorized\)\.$/) as string,
        kind: 'unauthorized',
        status: 401,
      });
      await expect(client.execute([['FA_nope', []]])).rejects.toMatchObject({
        name: 'HTTPActionClientException',
        message: expect.stringMatching(/: status 422, .*There is no command "FA_nope" \(http\)\.$/) as string,
        kind: 'http',
        status: 422,
      });
    } finally {
      await session.close();
    }
    expect(await new svc.HTTPActionClient('http://127.0.0.1:1').ping()).toBe(false);
  });

  it('tell a client by the kind of its failure why there is no result', async () => {
    const actions = [['AT_clear_variables']] as const;
    const failureAt = async (url: string, rules: svc.ActionClientOptions = {}): Promise<svc.ActionClientFailure> =>
      await new svc.HTTPActionClient(url, rules).execute(actions as never).then(
        () => expect.unreachable('there was a result'),
        (error: unknown) => error as svc.ActionClientFailure,
      );
    const answers: Record<string, readonly [number, string]> = {
      '/b': [403, '{}'],
      '/d': [404, ''],
      '/e': [200, 'no'],
      '/f': [302, '[]'],
      '/g': [200, '{}'],
    };
    const server = createServer((request, response) => {
      const answer = answers[dirname(request.url ?? '')];
      if (answer) response.writeHead(answer[0]).end(answer[1]);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      expect(await failureAt(`${base}/b`)).toMatchObject({ kind: 'forbidden', status: 403 });
      expect(await failureAt(`${base}/d`)).toMatchObject({ kind: 'not_found', status: 404 });
      expect(await failureAt(`${base}/e`)).toMatchObject({ kind: 'invalid_response', status: 200 });
      const nothing = new svc.HTTPActionClient(`${base}/g`).call('AT_clear_variables', {});
      await expect(nothing).rejects.toMatchObject({ kind: 'invalid_response' });
      expect(await failureAt(`${base}/f`)).toMatchObject({
        kind: 'http',
        status: 302,
        message: expect.stringContaining('status 302, redirects are not followed') as string,
      });
      expect(await failureAt(`${base}/silent`, { timeout: 1 })).toMatchObject({ kind: 'timeout', status: undefined });
    } finally {
      server.closeAllConnections();
      server.close();
    }
    expect(await failureAt('http://127.0.0.1:1')).toMatchObject({ kind: 'network', status: undefined });
    expect(await failureAt('http://192.0.2.1')).toMatchObject({ kind: 'not_loopback', status: undefined });
  });

  it('do not answer under a name that leads nowhere: a ping is false, a request fails by the network', async () => {
    const client = new svc.HTTPActionClient('http://nowhere.invalid:1');
    expect(await client.ping()).toBe(false);
    await expect(client.execute([['AT_clear_variables']])).rejects.toMatchObject({
      name: 'HTTPActionClientException',
      kind: 'network',
    });
  });

  it('are held to lists of commands', async () => {
    const acl = await svc.ActionACL.build({ allowed: ['FA_*', 'FA_run_shell'], denied: ['FA_remove_*'] });
    acl.enforce([['FA_copy_file', ['a', 'b']]]);
    const name = /^action not permitted: (.*)$/;
    const refused = (payload: object): string => {
      try {
        acl.enforce(payload as never);
        return '';
      } catch (error) {
        expect(error).toMatchObject({ name: 'ActionNotPermittedException' });
        return name.exec((error as Error).message)?.[1] ?? '';
      }
    };
    expect(refused([['FA_remove_file', ['a']]])).toBe('FA_remove_file');
    expect(refused([{ FA_if_exists: { path: 'a', then: [['AT_clear_variables']] } }])).toBe('AT_clear_variables');
    expect(refused({ actions: [{ FA_remove_dir_tree: {} }] })).toBe('FA_remove_dir_tree');
    const none = await svc.ActionACL.build({ allowed: [] });
    expect(() => none.enforce([['FA_copy_file', []]])).toThrow('action not permitted: FA_copy_file');
    const open = await svc.ActionACL.build();
    expect(() => open.enforce([['FA_run_shell', []]])).toThrow('action not permitted: FA_run_shell');
  });
});
