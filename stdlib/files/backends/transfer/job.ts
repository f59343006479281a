import type { Clock, Random } from '#schemas/types/host.ts';
import type { Digests, Ports } from '#runtime/kernel/ports.ts';

import type { Backend } from '../backend.ts';
import type { Pace } from './pace.ts';

/** Tools of transfers: from the ports of a command, and from the step. */
export interface TransferTools {
  readonly clock: Clock;
  readonly digests: Digests;
  readonly random: Random;
  readonly transfer: Transfer;
  /** Shared by all that is moved at once. */
  readonly pace?: Pace | undefined;
  /** Absent: nothing is noted, so that nothing can be resumed where parts are no files. */
  readonly uploads?: Ports['uploads'] | undefined;
}

/** Progress of a transfer: it is told there, and can be stopped from there. */
export type Transfer = Parameters<Parameters<Ports['progress']['watch']>[1]>[0];

/** A file or a folder, and where it is. */
export interface Place {
  readonly backend: Backend;
  readonly path: string;
}

export interface CopyOptions {
  /** Fails where something stands at the target. */
  readonly exclusive?: boolean;
  /** Goes on where an earlier call broke off, and leaves what has come for a later one. */
  readonly resume?: boolean;
}
