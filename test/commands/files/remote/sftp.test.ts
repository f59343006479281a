import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { confinedHost } from '#compiler/engine/callers/confined-host.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { joinPackets } from '#stdlib/files/backends/sftp/joined-packets.ts';
import { KnownHosts } from '#stdlib/files/backends/sftp/known-hosts.ts';
import { inParallel } from '#stdlib/files/in-parallel.ts';

import { content, failureNamed } from '../../../conformance/storage/service.ts';
import { cuttingProxy } from '../../../fixtures/cutting-proxy.ts';
import { lacksSshd, startSshd, type Sshd } from '../../../fixtures/sshd.ts';
import { session } from '../../session.ts';

const { signal } = new AbortController();

/** Connected to a server by its own port; the unit is to be ended. */
async function signedIn({ port, user: username, keyFile, knownHosts }: Sshd) {
  const unit = await session({ settings: { gates: { private: true } } });
  const login = { host: '127.0.0.1', port, username, keyFile, knownHosts, timeoutMs: 10_000 };
  const backend = await (await unit.work.port('sftp', unit.work.linked)).open(login, { signal });
  return { unit, backend };
}

describe.skipIf(lacksSshd())('keys of a server', () => {
  let server: Sshd;
  let folder = '';
  beforeAll(async () => {
    server = await startSshd();
    folder = await mkdtemp(join(tmpdir(), 'svc-hosts-'));
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  /** The words of the failure with these known hosts; `open` where the connection is made. */
  async function outcome(known_hosts: string): Promise<string> {
    await using unit = await session({ settings: { gates: { private: true } } });
    const { port, user: username, keyFile: key_filename } = server;
    const login = { host: '127.0.0.1', port, username, key_filename, known_hosts };
    return await unit.call('FA_sftp_later_init', login).then(
      () => 'open',
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
  }
  const file = async (text: string): Promise<string> => {
    const path = join(folder, 'known_hosts');
    await writeFile(path, text);
    return path;
  };

  test('are known by names that were hashed, and by no other hash', async () => {
    const hashed = join(folder, 'hashed');
    await copyFile(server.knownHosts, hashed);
    execFileSync('ssh-keygen', ['-H', '-f', hashed], { stdio: 'pipe' });
    const text = await readFile(hashed, 'utf8');
    expect(text).toMatch(/^\|1\|/);
    expect(text).not.toContain('127.0.0.1');
    expect(await outcome(hashed)).toBe('open');
    expect(await outcome(await file(text.replaceAll(/\|1\|[^|]+/g, '|1|AAAAAAAAAAAAAAAAAAAAAAAAAAA=')))).not.toBe(
      'open',
    );
  });

  test('are looked up for callers in the list of whoever runs the server, which lends no keys to them', async () => {
    const [home, project] = [join(folder, 'home'), join(folder, 'project')];
    await mkdir(join(home, '.ssh'), { recursive: true });
    await mkdir(project);
    await copyFile(server.knownHosts, join(home, '.ssh', 'known_hosts'));
    await copyFile(server.keyFile, join(home, '.ssh', 'id_ed25519'));
    await copyFile(server.keyFile, join(project, 'key'));
    const { host } = confinedHost(nodeHost({ cwd: project, env: { HOME: home } }), [project]);
    await using unit = await session({ host, root: project, settings: { gates: { private: true } } });
    const login = { host: '127.0.0.1', port: server.port, username: server.user };
    const asked = async (more: object): Promise<unknown> =>
      await unit.call('FA_sftp_later_init', { ...login, ...more }).catch((error: unknown) => String(error));
    expect(await asked({ key_filename: 'key' })).toBe(true);
    expect(await asked({})).toContain('neither a password nor a key is there');
    const named = join(home, '.ssh', 'known_hosts');
    expect(await asked({ key_filename: 'key', known_hosts: named })).toContain(named);
  });

  test('are refused where another one is known, where it is revoked, and where none is known', async () => {
    const text = await readFile(server.knownHosts, 'utf8');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'other')], { stdio: 'pipe' });
    const [type = '', key = ''] = (await readFile(join(folder, 'other.pub'), 'utf8')).split(' ');
    const changed = await outcome(await file(`[127.0.0.1]:${server.port} ${type} ${key}\n`));
    const revoked = await outcome(await file(text.replaceAll(/^(?=.)/gm, '@revoked ') + text));
    const unknown = await outcome(await file(''));
    for (const words of [changed, revoked, unknown]) expect(words).not.toBe('open');
    expect(changed).not.toBe(unknown);
  });
});

test.skipIf(lacksSshd())('an RSA key of a server is known by either of its signatures', async () => {
  for (const signatures of ['rsa-sha2-256', 'rsa-sha2-512']) {
    await using server = await startSshd({ hostKey: 'rsa', settings: [`HostKeyAlgorithms ${signatures}`] });
    const { backend, unit } = await signedIn(server);
    await using _ = unit;
    expect(await backend.stat(server.root, { signal }), signatures).toMatchObject({ kind: 'folder' });
  }
});

test.skipIf(lacksSshd())('an empty folder that may not be removed is denied, not full', async () => {
  await using server = await startSshd({ subsystem: 'internal-sftp -P rmdir' });
  const { backend, unit } = await signedIn(server);
  await using _ = unit;
  await mkdir(join(server.root, 'kept'));
  expect(await failureNamed(backend.remove(join(server.root, 'kept'), { signal }))).toBe('storage-denied');
});

describe.skipIf(lacksSshd())('files that are written at once', () => {
  /** Writes 120 files, four at once; yields the number of connections that were made. */
  async function connections(cuts: readonly number[]): Promise<number> {
    await using server = await startSshd();
    await using proxy = await cuttingProxy(server.port);
    await server.know(proxy.port);
    await using unit = await session({ settings: { gates: { private: true } } });
    const { user: username, keyFile, knownHosts, root } = server;
    const login = { host: '127.0.0.1', port: proxy.port, username, keyFile, knownHosts, timeoutMs: 10_000 };
    const { signal } = new AbortController();
    proxy.cut(...cuts);
    const backend = await (await unit.work.port('sftp', unit.work.linked)).open(login, { signal });
    const names = Array.from({ length: 120 }, (_, at) => `f${at}`);
    const write = async (name: string): Promise<void> => {
      await backend.write(join(root, name), content(new TextEncoder().encode(name)), { signal });
    };
    await inParallel(names, write, 4);
    for (const name of names) expect(await readFile(join(root, name), 'utf8')).toBe(name);
    await backend.close();
    return proxy.connections;
  }

  test('go over a few connections, which are made beside the work', async () => {
    const made = await connections([]);
    expect(made).toBeGreaterThan(1);
    expect(made).toBeLessThanOrEqual(4);
  });

  test('go over one where the server takes no other, which is tried once', async () => {
    expect(await connections([Infinity, 1, 1, 1])).toBe(2);
  });
});

test('questions of one turn go out in one packet, in order, and large ones alone', async () => {
  const sent: string[] = [];
  const note = (channel: number, data: string): void => void sent.push(`${channel} ${data}`);
  const protocol = {
    channelData: (channel: number, data: Uint8Array) =>
      note(channel, data.length > 100 ? String(data.length) : String(data)),
    channelClose: (channel: number) => note(channel, 'closed'),
  };
  joinPackets({ _protocol: protocol });
  const ask = (channel: number, text: string): void => protocol.channelData(channel, Buffer.from(text));
  ask(0, 'open ');
  ask(0, 'read ');
  ask(1, 'stat ');
  ask(0, 'x'.repeat(9000));
  ask(0, 'end');
  protocol.channelClose(0);
  ask(0, 'last');
  expect(sent).toEqual(['0 open read ', '1 stat ', '0 9000', '0 end', '0 closed']);
  await setImmediate();
  expect(sent.at(-1)).toBe('0 last');
  joinPackets({});
});

describe('known hosts', () => {
  const key = Buffer.from('key');
  const line = (hosts: string): KnownHosts =>
    new KnownHosts(`# mine\n${hosts} ssh-ed25519 ${key.toString('base64')}\n`);
  test.each([
    ['files.example', 'files.example', 22, 'known'],
    ['files.example', 'FILES.example', 22, 'known'],
    ['files.example', 'files.example', 2222, 'unknown'],
    ['[files.example]:2222', 'files.example', 2222, 'known'],
    ['*.example,!old.example', 'new.example', 22, 'known'],
    ['*.example,!old.example', 'old.example', 22, 'unknown'],
    ['10.0.0.?', '10.0.0.7', 22, 'known'],
    ['@revoked files.example', 'files.example', 22, 'revoked'],
    ['@cert-authority files.example', 'files.example', 22, 'unknown'],
  ] as const)('%s: %s:%i is %s', (hosts, host, port, verdict) => {
    expect(line(hosts).verdict(host, port, key)).toBe(verdict);
  });
  test('tell a changed key from a known one', () => {
    expect(line('a').verdict('a', 22, Buffer.from('other'))).toBe('changed');
  });
});
