import { commandRaising } from '#stdlib/command.ts';

import { addEntries, findEntry, readTape } from '../cassette/tape.ts';
import type { TapeEntry, TapeWriter } from '../cassette/tape.ts';
import { proxyRoute } from './proxy.ts';
import type { Tape } from './proxy.ts';

const command = commandRaising('MockServerException');

export const AT_mock_add_proxy = command('AT_mock_add_proxy', async (params, ctx) => {
  const { upstream_base: base, cassette_path: path, route: rule, replay_only: replayOnly } = params;
  const tape = await openTape(path, ctx);
  ctx.mockHttp.add(proxyRoute({ rule, upstream: new URL(base), replayOnly }, tape, ctx));
});

/** The file is written once for all entries that came while it was written before. */
async function openTape(path: string, ctx: TapeWriter): Promise<Tape> {
  const entries: TapeEntry[] = await readTape(path, ctx);
  const added: TapeEntry[] = [];
  // The step is over when requests come.
  const context = { ...ctx, signal: new AbortController().signal };
  let waiting: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  const write = async (): Promise<void> => {
    waiting = undefined;
    const batch = [...added];
    await addEntries(path, batch, context);
    added.splice(0, batch.length);
  };
  return {
    entries,
    add: (entry) => {
      if (findEntry(entries, entry) >= 0) return waiting ?? last;
      entries.push(entry);
      added.push(entry);
      return (waiting ??= last = last.then(write, write));
    },
  };
}
