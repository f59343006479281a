import type { Base, Ports } from '#runtime/kernel/ports.ts';
import { commandRaising } from '#stdlib/command.ts';

import { readTape, writeTape } from '../cassette/tape.ts';
import { proxyRoute } from './proxy.ts';
import type { Tape } from './proxy.ts';

const command = commandRaising('MockServerException');

export const AT_mock_add_proxy = command('AT_mock_add_proxy', async (params, ctx) => {
  const { upstream_base: base, cassette_path: path, route: rule, replay_only: replayOnly } = params;
  const tape = await openTape(path, ctx);
  ctx.mockHttp.add(proxyRoute({ rule, upstream: new URL(base), replayOnly }, tape, ctx));
});

/** The file is written as a whole, and once for all entries that came while it was written before. */
async function openTape(path: string, ctx: Base & Pick<Ports, 'files'>): Promise<Tape> {
  const entries = await readTape(path, ctx);
  // The step is over when requests come.
  const context = { ...ctx, signal: new AbortController().signal };
  let waiting: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  const write = (): Promise<void> => {
    waiting = undefined;
    return writeTape(path, entries, context);
  };
  return {
    entries,
    save: () => {
      waiting ??= last = last.then(write, write);
      return waiting;
    },
  };
}
