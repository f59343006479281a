import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import {
  call,
  FileVersioner,
  generate_key,
  IntegrityMonitor,
  key_from_password,
  NotificationManager,
  type CheckSummary,
} from '#compiler/library/files.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-library-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe('keys', () => {
  it('are random, or those of a password, and fit the commands', async () => {
    expect(Buffer.from(await generate_key({ bits: 128 }), 'base64')).toHaveLength(16);
    const key = await key_from_password('Пароль 1', 'AAECAwQFBgcICQoLDA0ODw==');
    expect(key).toBe('BqLILeU9hDhAWi2kGcKTHzjoLaiodU3Ttorkth6oohU=');
    await writeFile(join(root, 'plain'), 'secret');
    await call('FA_encrypt_file', { source: join(root, 'plain'), target: join(root, 'x.enc'), key });
    await call('FA_decrypt_file', { source: join(root, 'x.enc'), target: join(root, 'back'), key });
    expect(await readFile(join(root, 'back'), 'utf8')).toBe('secret');
    await expect(key_from_password('p', 'AAECAwQ=')).rejects.toMatchObject({ name: 'CryptoException' });
    await expect(generate_key({ bits: 512 as 256 })).rejects.toThrow(/bits/);
  });
});

describe('FileVersioner', () => {
  it('stores, lists, restores and prunes', async () => {
    const versions = new FileVersioner(join(root, 'versions'));
    const path = join(root, 'a');
    await writeFile(path, 'one');
    expect(await versions.save_version(path)).toMatchObject({ version: 1 });
    await writeFile(path, 'two');
    await versions.restore(path, 1);
    expect([await readFile(path, 'utf8'), (await versions.list_versions(path)).length]).toEqual(['one', 2]);
    expect(await versions.prune(path, 1)).toBe(1);
    await expect(versions.restore(path, 1)).rejects.toMatchObject({ name: 'VersioningException' });
    await expect(versions.prune(path, -1)).rejects.toThrow(/keep/);
  });
});

describe('IntegrityMonitor', () => {
  it('tells a function and a manager of drift', async () => {
    await mkdir(join(root, 'in'));
    await writeFile(join(root, 'in/a'), 'a');
    await call('FA_write_manifest', { root: join(root, 'in'), manifest_path: join(root, 'm.json') });
    const sent: string[] = [];
    const drift = Promise.withResolvers<CheckSummary>();
    const manager = new NotificationManager();
    manager.register({
      name: 'own',
      send: async (subject, body, level) => void sent.push([subject, body, level].join('|')),
    });
    await using monitor = new IntegrityMonitor(join(root, 'in'), join(root, 'm.json'), {
      interval: 0.02,
      on_drift: (summary) => drift.resolve(summary),
      manager,
    });
    expect([await monitor.check_once(), monitor.last_summary?.ok]).toMatchObject([{ ok: true }, true]);
    monitor.start();
    await rm(join(root, 'in/a'));
    expect(await drift.promise).toMatchObject({ missing: ['a'], ok: false });
    while (sent.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await monitor.stop();
    const broken = { notify: () => Promise.reject(new Error('no service')) };
    expect(
      await new IntegrityMonitor(join(root, 'in'), join(root, 'm.json'), { manager: broken }).check_once(),
    ).toMatchObject({ ok: false });
    expect(sent).toEqual([`integrity drift: ${join(root, 'in')}|missing: a|error`]);
    expect(() => new IntegrityMonitor(root, root, { interval: 0 })).toThrow(/interval/);
  });
});
