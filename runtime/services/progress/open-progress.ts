import type { Clock } from '#schemas/types/host.ts';

import type { Progress, Transfer, TransferFacts } from './port.ts';
import { ProgressRegistry } from './progress-registry.ts';
import type { TransferStatus } from './snapshot.ts';
import { unwatched } from './unnamed.ts';

/** Opens the transfers of a run. */
export function openProgress(clock: Clock): Progress {
  const registry = new ProgressRegistry(clock);
  return {
    list: () => registry.list(),
    cancel: (name) => registry.cancel(name),
    clear: () => registry.clear_finished(),
    watch: (facts, work) => (facts.name === null ? work(unwatched(facts)) : watched(registry, facts.name, facts, work)),
  };
}

async function watched<Result>(
  registry: ProgressRegistry,
  name: string,
  { total = null, signal }: TransferFacts,
  work: (transfer: Transfer) => Promise<Result>,
): Promise<Result> {
  const [reporter, token] = registry.create(name, { total });
  let failure: Exclude<TransferStatus, 'running'> = 'error';
  const transfer: Transfer = {
    signal: AbortSignal.any([signal, token.signal]),
    update: (bytes) => reporter.update(bytes),
    expect: (bytes) => reporter.expect(bytes),
    failsAs: (status) => void (failure = status === 'running' ? 'error' : status),
  };
  try {
    const result = await work(transfer);
    reporter.finish();
    return result;
  } catch (error) {
    reporter.finish(transfer.signal.aborted ? 'cancelled' : failure);
    token.raise_if_cancelled();
    throw error;
  }
}
