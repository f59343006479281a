import { cuttingProxy } from '../../fixtures/cutting-proxy.ts';
import { makeContainer } from '../../fixtures/azure-container.ts';
import { startAzurite } from '../../fixtures/azurite.ts';
import { session } from '../../commands/session.ts';
import { describeBackend } from './backend.ts';

describeBackend('blobstore', async () => {
  const server = await startAzurite();
  const proxy = await cuttingProxy(server.port);
  await makeContainer(server.connectionString(), 'container-one');
  const unit = await session({ settings: { gates: { private: true } } });
  const { signal } = new AbortController();
  const port = await unit.work.port('blobstore', unit.work.linked);
  return {
    backend: await port.open({ connectionString: server.connectionString(proxy.port) }, { signal }),
    top: 'container-one/top',
    proxy,
    replies: {
      full: { status: 507, headers: { 'x-ms-error-code': 'InsufficientStorage' } },
      expired: { status: 401, headers: { 'x-ms-error-code': 'InvalidAuthenticationInfo' } },
      skewed: {
        status: 403,
        headers: { 'x-ms-error-code': 'AuthenticationFailed', date: new Date(Date.now() + 3_600_000).toUTCString() },
      },
    },
    cut: (...bytes) => {
      proxy.cutNow();
      proxy.cut(...bytes);
    },
    // The service makes slashes of them.
    cannotHold: (name) => name.includes('\\'),
    pageSize: 2050,
    [Symbol.asyncDispose]: async () => {
      await unit.end();
      await proxy[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
});
