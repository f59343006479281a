import { expect, it } from 'vitest';

import type { Ports } from '#runtime/kernel/ports.ts';
import { SmbClient } from '#stdlib/files/backends/smb/smb-client.ts';

import { unitContext } from '../../../fixtures/unit-context.ts';

it('a question that is cancelled while its server is looked up ends at once, and starts no program', async () => {
  const { context, end } = unitContext();
  const { signal, cancel } = cancellable();
  const outbound = {
    checkHost: () => {
      cancel();
      return Promise.resolve(['127.0.0.1']);
    },
  } as unknown as Ports['outbound'];
  const started: string[] = [];
  const processes = {
    ...context.host.processes,
    find: () => '/smbclient',
    start: (program: string) => {
      started.push(program);
      throw new Error('started');
    },
  };
  const login = { server: 'files.test', share: 'in', port: 445, encrypt: false, timeoutMs: 10_000 };
  const client = new SmbClient({ ...context, host: { ...context.host, processes } }, outbound, login, 'in', 'smb');
  await expect(client.ask('ls "a"', 'a', { signal })).rejects.toThrow('stopped');
  expect(started).toEqual([]);
  await client.close();
  await end();
});

function cancellable(): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, cancel: () => controller.abort(new Error('stopped')) };
}
