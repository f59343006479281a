import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startSshd } from '../../fixtures/sshd.ts';
import type { MakeWorld } from './world.ts';

/**
 * A server with the folder `${ENV.SFTP_ROOT}`, which holds `in/report.csv`; `${ENV.SFTP_PORT}`, key and known hosts are
 * those of the login.
 */
export const world: MakeWorld = async ({ root }) => {
  const server = await startSshd();
  await mkdir(join(server.root, 'in'));
  await writeFile(join(server.root, 'in', 'report.csv'), 'name;amount\npears;3\n');
  await mkdir(join(root, 'out', 'sub'), { recursive: true });
  await writeFile(join(root, 'out', 'a.txt'), 'a\n');
  await writeFile(join(root, 'out', 'sub', 'b.txt'), 'b\n');
  return {
    env: {
      SFTP_ROOT: server.root,
      SFTP_PORT: String(server.port),
      SFTP_USER: server.user,
      SFTP_KEY: server.keyFile,
      SFTP_HOSTS: server.knownHosts,
    },
    settings: { gates: { private: true } },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
