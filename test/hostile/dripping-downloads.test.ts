import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { nodeHost } from '#runtime/hosts/node.ts';
import type { Clock } from '#schemas/types/host.ts';

import { startHttp } from '../commands/api/servers.ts';
import { failureOf, session } from '../commands/call.ts';

/** A clock that runs a hundred times as fast. */
function fast({ clock }: { readonly clock: Clock }): Clock {
  return {
    ...clock,
    monotonic: () => clock.monotonic() * 100,
    sleep: (ms, signal) => clock.sleep(ms / 100, signal),
    timer: (ms, callback, options) => clock.timer(ms / 100, callback, options),
  };
}

it.each([false, true])(
  'a server that sends a byte now and then is given up, also where no limit was given (resume: %s)',
  async (resume) => {
    const root = await mkdtemp(join(tmpdir(), 'svc-drip-'));
    const host = { ...nodeHost(), clock: fast(nodeHost()) };
    await using unit = await session({ host, settings: { gates: { private: true } } });
    let sent = 0;
    await using server = await startHttp((_request, response) => {
      response.writeHead(200, { 'content-length': 16_000, etag: '"1"' });
      const drip = setInterval(() => (response.write('x'), (sent += 1)), 20);
      response.on('close', () => clearInterval(drip));
    });
    const failure = await failureOf(
      unit.call('FA_download_file', {
        url: server.url,
        target: join(root, 'file'),
        max_bytes: 16_384,
        timeout: 100,
        resume,
      }),
    );
    expect(failure.facts.kinds).toContain('timeout');
    expect(failure.facts.message).toContain('301 s');
    expect(sent).toBeGreaterThan(10);
    expect((await readdir(root)).includes('file')).toBe(false);
    await rm(root, { recursive: true });
  },
);
