import type { ObjstoreLogin } from '#stdlib/files/backends/objstore/port.ts';

import { cuttingProxy } from '../../fixtures/cutting-proxy.ts';
import { session } from '../../commands/session.ts';
import { describeBackend } from './backend.ts';

/** A running object store with one bucket. */
export interface ObjectServer extends AsyncDisposable {
  readonly port: number;
  readonly login: Omit<ObjstoreLogin, 'endpoint'>;
  readonly bucket: string;
  /** An upload in parts cannot be given up there. */
  readonly keepsUploads?: boolean;
  /** Contents that several write at once under one name are mixed. */
  readonly mixesWriters?: boolean;
  /** It asks for its own time, whatever somebody in between says that it is. */
  readonly checksTime?: boolean;
}

/** The suite of all storage for an object store. */
export function describeObjects(start: () => Promise<ObjectServer>): void {
  describeBackend('objstore', async () => {
    const server = await start();
    const proxy = await cuttingProxy(server.port);
    const unit = await session({ settings: { gates: { private: true } } });
    const { signal } = new AbortController();
    const port = await unit.work.port('objstore', unit.work.linked);
    const endpoint = `http://127.0.0.1:${proxy.port}`;
    return {
      backend: await port.open({ ...server.login, endpoint }, { signal }),
      top: `${server.bucket}/top`,
      proxy,
      replies: {
        full: { status: 403, body: '<Error><Code>QuotaExceeded</Code><Message>full</Message></Error>' },
        expired: { status: 400, body: '<Error><Code>ExpiredToken</Code><Message>over</Message></Error>' },
        ...(!server.checksTime && {
          skewed: {
            status: 403,
            headers: { date: new Date(Date.now() + 3_600_000).toUTCString() },
            body: '<Error><Code>RequestTimeTooSkewed</Code><Message>late</Message></Error>',
          },
        }),
      },
      cut: (...bytes) => {
        proxy.cutNow();
        proxy.cut(...bytes);
      },
      pageSize: 1050,
      keepsUploads: server.keepsUploads ?? false,
      mixesWriters: server.mixesWriters ?? false,
      [Symbol.asyncDispose]: async () => {
        await unit.end();
        await proxy[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      },
    };
  });
}
