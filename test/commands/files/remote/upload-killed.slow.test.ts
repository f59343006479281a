import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { lacksSmbd, startSmbd } from '../../../fixtures/smbd.ts';
import { lacksVsftpd, startVsftpd } from '../../../fixtures/vsftpd.ts';
import { bytesOf } from '../../../conformance/storage/service.ts';
import { called, killed, type Call } from './killed-calls.ts';

const SIZE = 6_000_000;
const host = '127.0.0.1';
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-upload-'));
  await writeFile(join(root, 'big'), bytesOf(SIZE));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const services = {
  ftp: {
    lacks: lacksVsftpd,
    start: startVsftpd,
    // It makes folders above a file itself.
    prepare: [],
    login: ({ port, username, password }: Login) => ({ host, port, username, password }),
  },
  smb: {
    lacks: lacksSmbd,
    start: startSmbd,
    prepare: [['FA_smb_create_dir', { remote_path: 'sub' }]],
    login: ({ port, username, password }: Login) => ({ server: host, share: 'share', port, username, password }),
  },
} as const;

interface Login {
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

describe.each(Object.entries(services))(
  '%s: an upload whose process is killed',
  (name, { lacks, start, prepare, login }) => {
    test.skipIf(lacks())(
      'changes nothing but a part, which the next transfer to that server removes',
      async () => {
        await using server = await start();
        const connect: Call = [`FA_${name}_later_init`, login(server)];
        const upload = (more: object): Call => [
          `FA_${name}_upload_file`,
          { local_path: join(root, 'big'), remote_path: 'sub/big', ...more },
        ];
        const there = async (): Promise<readonly string[]> => (await readdir(join(server.root, 'sub'))).sort();
        await called(root, [connect, ...prepare, upload({})]);
        await writeFile(join(root, 'big'), bytesOf(SIZE + 1));
        await killed(root, [connect, upload({ bytes_per_second: 500_000 })], async () => (await there()).length > 1);
        expect(await there()).toEqual([expect.stringMatching(/^\.svc-[0-9a-f]{36}\.part$/), 'big']);
        expect(Buffer.compare(await readFile(join(server.root, 'sub', 'big')), bytesOf(SIZE))).toBe(0);
        await called(root, [connect, upload({})]);
        expect(await there()).toEqual(['big']);
        expect(Buffer.compare(await readFile(join(server.root, 'sub', 'big')), bytesOf(SIZE + 1))).toBe(0);
        expect(await readdir(join(root, '.svc', 'uploads'))).toEqual([]);
      },
      60_000,
    );
  },
);
