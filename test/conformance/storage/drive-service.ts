import type { Backend, CallOptions } from '#stdlib/files/backends/backend.ts';

import { session, type Session } from '../../commands/session.ts';
import { cuttingProxy } from '../../fixtures/cutting-proxy.ts';
import type { StorageService } from './service.ts';

interface DriveKind extends Pick<StorageService, 'cannotHold' | 'pageSize' | 'partsFrom' | 'replies'> {
  open(unit: Session, endpoint: string, options: CallOptions): Promise<Backend>;
}

/** A drive behind a proxy that cuts connections. */
export async function driveService(
  served: AsyncDisposable & { readonly port: number },
  { open, ...kind }: DriveKind,
): Promise<StorageService> {
  const proxy = await cuttingProxy(served.port);
  const unit = await session({ settings: { gates: { private: true } } });
  const { signal } = new AbortController();
  const backend = await open(unit, `http://127.0.0.1:${proxy.port}`, { signal });
  return {
    ...kind,
    backend,
    top: 'top',
    proxy,
    cut: (...bytes) => {
      proxy.cutNow();
      proxy.cut(...bytes);
    },
    [Symbol.asyncDispose]: async () => {
      await unit.end();
      await proxy[Symbol.asyncDispose]();
      await served[Symbol.asyncDispose]();
    },
  };
}
