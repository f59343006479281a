import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startFauxqs } from 'fauxqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { cuttingProxy } from '../../../fixtures/cutting-proxy.ts';
import { lacksSshd, startSshd } from '../../../fixtures/sshd.ts';
import { bytesOf } from '../../../conformance/storage/service.ts';
import { called, killed, type Call } from './killed-calls.ts';

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'svc-upload-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

const notes = (): Promise<string[]> => readdir(join(root, '.svc', 'uploads')).catch(() => []);

describe.skipIf(lacksSshd())('an upload whose process is killed', () => {
  test('leaves a part over there until the next transfer to that server', async () => {
    await using server = await startSshd();
    const { port, user: username, keyFile: key_filename, knownHosts: known_hosts, root: there } = server;
    const login: Call = ['FA_sftp_later_init', { host: '127.0.0.1', port, username, key_filename, known_hosts }];
    await writeFile(join(root, 'big'), bytesOf(3_000_000));
    await mkdir(join(there, 'sub'));
    const big = { local_path: join(root, 'big'), remote_path: `${there}/sub/big`, bytes_per_second: 500_000 };
    const parts = async (): Promise<string[]> => (await readdir(join(there, 'sub'))).sort();
    await killed(root, [login, ['FA_sftp_upload_file', big]], async () => (await parts()).length > 0);
    expect(await parts()).toEqual([expect.stringMatching(/^\.svc-[0-9a-f]{36}\.part$/)]);
    await writeFile(join(there, 'sub', '.svc-0123456789abcdef0123.part'), 'of somebody else');
    await called(root, [
      login,
      ['FA_sftp_upload_file', { local_path: join(root, 'big'), remote_path: `${there}/other` }],
    ]);
    expect(await parts()).toEqual(['.svc-0123456789abcdef0123.part']);
    expect(await notes()).toEqual([]);
  }, 60_000);

  test('is gone on with by the next run where that was asked for', async () => {
    await using server = await startSshd();
    await using proxy = await cuttingProxy(server.port);
    await server.know(proxy.port);
    const { user: username, keyFile: key_filename, knownHosts: known_hosts, root: there } = server;
    const login: Call = [
      'FA_sftp_later_init',
      { host: '127.0.0.1', port: proxy.port, username, key_filename, known_hosts },
    ];
    const bytes = bytesOf(3_000_000);
    await writeFile(join(root, 'big'), bytes);
    const big = { local_path: join(root, 'big'), remote_path: `${there}/big`, resume: true };
    await killed(root, [login, ['FA_sftp_upload_file', { ...big, bytes_per_second: 1_500_000 }]], async () => {
      return proxy.sent > 1_500_000;
    });
    const before = proxy.sent;
    await called(root, [login, ['FA_sftp_upload_file', big]]);
    expect(proxy.sent - before).toBeLessThan(2_000_000);
    expect(Buffer.compare(await readFile(join(there, 'big')), bytes)).toBe(0);
    expect((await readdir(there)).filter((name) => name.endsWith('.part'))).toEqual([]);
  }, 60_000);
});

test('an upload to an object store whose process is killed is gone on with by the next run', async () => {
  const server = await startFauxqs({ port: 0, logger: false, init: { buckets: ['bucket'] } });
  await using proxy = await cuttingProxy(server.port);
  const endpoint_url = `http://127.0.0.1:${proxy.port}`;
  const keys = { access_key_id: 'k', secret_access_key: 's', region_name: 'eu-west-1', endpoint_url };
  const login: Call = ['FA_objstore_later_init', keys];
  const bytes = bytesOf(30_000_000);
  await writeFile(join(root, 'big'), bytes);
  const big = { local_path: join(root, 'big'), bucket: 'bucket', key: 'big', resume: true };
  await killed(root, [login, ['FA_objstore_upload_file', { ...big, bytes_per_second: 12_000_000 }]], async () => {
    return proxy.sent > 17_000_000;
  });
  expect(await notes()).not.toEqual([]);
  const before = proxy.sent;
  const down = { bucket: 'bucket', key: 'big', target_path: join(root, 'back') };
  await called(root, [login, ['FA_objstore_upload_file', big], ['FA_objstore_download_file', down]]);
  expect(proxy.sent - before).toBeLessThan(24_000_000);
  expect(Buffer.compare(await readFile(join(root, 'back')), bytes)).toBe(0);
  expect(await notes()).toEqual([]);
  await server.stop();
}, 60_000);
