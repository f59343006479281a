import { nodeHost } from '#runtime/hosts/node.ts';
import { ProgressRegistry as Registry } from '#runtime/services/progress/progress-registry.ts';
import { ProgressReporter as Reporter } from '#runtime/services/progress/progress-reporter.ts';
import type { ProgressSnapshot, TransferStatus } from '#runtime/services/progress/snapshot.ts';

export { CancellationToken } from '#runtime/services/progress/cancellation-token.ts';
export type { ProgressSnapshot, TransferStatus };

/** Named transfers of a program, running and finished, each with its counter and a token that asks it to stop. */
export class ProgressRegistry extends Registry {
  constructor() {
    super(nodeHost().clock);
  }
}

/** Counts the bytes of one transfer. `total`: bytes expected. */
export class ProgressReporter extends Reporter {
  constructor(name: string, options: { readonly total?: number | null } = {}) {
    super(nodeHost().clock, name, options);
  }
}
