import { join } from 'node:path';

import { describe } from 'vitest';

import { cuttingProxy } from '../../fixtures/cutting-proxy.ts';
import { smallDisk } from '../../fixtures/small-disk.ts';
import { lacksSshd, startSshd } from '../../fixtures/sshd.ts';
import { session } from '../../commands/session.ts';
import { describeBackend } from './backend.ts';

describe.skipIf(lacksSshd())('sshd', () => {
  describeBackend('sftp', async () => {
    const server = await startSshd();
    const proxy = await cuttingProxy(server.port);
    await server.know(proxy.port);
    const unit = await session({ settings: { gates: { private: true } } });
    const { signal } = new AbortController();
    const port = await unit.work.port('sftp', unit.work.linked);
    const { user: username, keyFile, knownHosts, root: top } = server;
    const login = { host: '127.0.0.1', port: proxy.port, username, keyFile, knownHosts, timeoutMs: 10_000 };
    const disk = await smallDisk(join(top, 'small'));
    return {
      backend: await port.open(login, { signal }),
      top,
      takesLarge: true,
      proxy,
      ...(disk && { small: join(top, 'small') }),
      expire: server.expire,
      cut: proxy.cut,
      [Symbol.asyncDispose]: async () => {
        await unit.end();
        await proxy[Symbol.asyncDispose]();
        await disk?.[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  });
});
