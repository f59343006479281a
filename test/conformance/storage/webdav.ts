import { describe, test } from 'vitest';

import { cuttingProxy } from '../../fixtures/cutting-proxy.ts';
import type { WebdavServer } from '../../fixtures/rclone-webdav.ts';
import { session } from '../../commands/session.ts';
import { describeBackend } from './backend.ts';

/** The suite of all storage for a WebDAV server, where the machine has it. */
export function describeWebdav(name: string, isLacking: boolean, start: () => Promise<WebdavServer>): void {
  describe(name, () => {
    if (isLacking) return test.skip('is not there');
    describeBackend('webdav', async () => {
      const server = await start();
      const proxy = await cuttingProxy(server.port);
      const unit = await session({ settings: { gates: { private: true } } });
      const { signal } = new AbortController();
      const port = await unit.work.port('webdav', unit.work.linked);
      const { username, password } = server;
      const baseUrl = `http://127.0.0.1:${proxy.port}/dav`;
      const login = { baseUrl, username, password, allowPrivate: false, timeoutMs: 10_000, verify: true };
      const backend = await port.open(login, { signal });
      await backend.makeFolder('top', { signal });
      return {
        backend,
        top: 'top',
        takesLarge: true,
        proxy,
        replies: { full: { status: 507 }, expired: { status: 401 } },
        cut: (...bytes) => {
          proxy.cutNow();
          proxy.cut(...bytes);
        },
        [Symbol.asyncDispose]: async () => {
          await unit.end();
          await proxy[Symbol.asyncDispose]();
          await server[Symbol.asyncDispose]();
        },
      };
    });
  });
}
