import { describe, test } from 'vitest';

import { cuttingProxy } from '../../fixtures/cutting-proxy.ts';
import { lacksModDav, startModDav } from '../../fixtures/mod-dav.ts';
import { lacksRclone, startRcloneWebdav } from '../../fixtures/rclone-webdav.ts';
import { session } from '../../commands/session.ts';
import { describeBackend } from './backend.ts';

const servers = [
  { name: 'rclone', isLacking: lacksRclone, start: startRcloneWebdav },
  { name: 'apache', isLacking: lacksModDav, start: startModDav },
];

// CI has one of them: nothing is skipped there, and it has no time for both.
describe.each(process.env['SVC_TEST_FULL'] ? servers : servers.slice(0, 1))('$name', ({ isLacking, start }) => {
  if (isLacking()) return test.skip('is not there');
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
