import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { KnownHosts } from '#stdlib/files/backends/sftp/known-hosts.ts';

import { lacksSshd, startSshd, type Sshd } from '../../../fixtures/sshd.ts';
import { session } from '../../session.ts';

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
