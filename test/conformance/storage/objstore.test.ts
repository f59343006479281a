import { startFauxqs } from 'fauxqs';

import { cuttingProxy } from '../../fixtures/cutting-proxy.ts';
import { session } from '../../commands/session.ts';
import { describeBackend } from './backend.ts';

describeBackend('objstore', async () => {
  const server = await startFauxqs({ port: 0, logger: false, init: { buckets: ['bucket-one'] } });
  const proxy = await cuttingProxy(server.port);
  const unit = await session({ settings: { gates: { private: true } } });
  const { signal } = new AbortController();
  const port = await unit.work.port('objstore', unit.work.linked);
  const endpoint = `http://127.0.0.1:${proxy.port}`;
  return {
    backend: await port.open({ accessKey: 'k', secretKey: 's', region: 'eu-west-1', endpoint }, { signal }),
    top: 'bucket-one/top',
    proxy,
    replies: {
      full: { status: 403, body: '<Error><Code>QuotaExceeded</Code><Message>full</Message></Error>' },
      expired: { status: 400, body: '<Error><Code>ExpiredToken</Code><Message>over</Message></Error>' },
      skewed: {
        status: 403,
        headers: { date: new Date(Date.now() + 3_600_000).toUTCString() },
        body: '<Error><Code>RequestTimeTooSkewed</Code><Message>late</Message></Error>',
      },
    },
    cut: (...bytes) => {
      proxy.cutNow();
      proxy.cut(...bytes);
    },
    pageSize: 1050,
    [Symbol.asyncDispose]: async () => {
      await unit.end();
      await proxy[Symbol.asyncDispose]();
      await server.stop();
    },
  };
});
