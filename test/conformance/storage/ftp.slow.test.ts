import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe } from 'vitest';

import { cuttingProxy } from '../../fixtures/cutting-proxy.ts';
import { lacksVsftpd, startVsftpd } from '../../fixtures/vsftpd.ts';
import { session } from '../../commands/session.ts';
import { describeBackend } from './backend.ts';

describe.skipIf(lacksVsftpd()).each([false, true])('vsftpd, TLS: %s', (tls) => {
  describeBackend(tls ? 'ftps' : 'ftp', async () => {
    const server = await startVsftpd({ tls });
    const proxy = await cuttingProxy(server.port);
    const unit = await session({ settings: { gates: { private: true } } });
    const { signal } = new AbortController();
    const port = await unit.work.port('ftp', unit.work.linked);
    const { username, password, ca: verify } = server;
    const login = { host: '127.0.0.1', port: proxy.port, username, password, tls, verify, passive: true };
    const backend = await port.open({ ...login, timeoutMs: 10_000 }, { signal });
    await backend.makeFolder('top', { signal });
    return {
      backend,
      top: 'top',
      cut: proxy.cut,
      // Each file would be a connection of its own, with a handshake.
      fill: async (folder, names) => {
        for (const name of names) await writeFile(join(server.root, folder, name), '');
      },
      [Symbol.asyncDispose]: async () => {
        await backend.close();
        await unit.end();
        await proxy[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  });
});
