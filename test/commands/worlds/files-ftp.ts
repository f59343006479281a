import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { startVsftpd } from '../../fixtures/vsftpd.ts';
import type { MakeWorld } from './world.ts';

/** A server that demands TLS and holds `in/report.csv`; `${ENV.FTP_…}` is the login for it, and its certificate. */
export const world: MakeWorld = async ({ root }) => {
  const server = await startVsftpd({ tls: true });
  await mkdir(join(server.root, 'in'));
  await writeFile(join(server.root, 'in', 'report.csv'), 'name;amount\npears;3\n');
  await mkdir(join(root, 'out', 'sub'), { recursive: true });
  await writeFile(join(root, 'out', 'a.txt'), 'a\n');
  await writeFile(join(root, 'out', 'sub', 'b.txt'), 'b\n');
  return {
    env: {
      FTP_PORT: String(server.port),
      FTP_USER: server.username,
      FTP_PASSWORD: server.password,
      FTP_CA: server.ca,
    },
    settings: { gates: { private: true } },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
