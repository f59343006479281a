import type { ProgressSnapshot, TransferStatus } from './snapshot.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly progress: Progress;
  }
}

/** The transfers of a run, by name: whoever moves many bytes reports here, and others look on or cancel. */
export interface Progress {
  /** Running and finished ones, in the order in which they began. */
  list(): readonly ProgressSnapshot[];
  /** False where no transfer of that name runs. */
  cancel(name: string): boolean;
  /** Forgets those that have ended; answers how many. */
  clear(): number;
  /**
   * Runs work as a transfer of that name, which no running one may have; without a name it is not shown. Ends as
   * `done`, as `cancelled` when somebody asked for that, else as `error` or as `work` said.
   */
  watch<Result>(transfer: TransferFacts, work: (transfer: Transfer) => Promise<Result>): Promise<Result>;
}

export interface TransferFacts {
  readonly name: string | null;
  /** Bytes expected, where that is known. */
  readonly total?: number | null;
  /** Signal of the step. */
  readonly signal: AbortSignal;
}

/** Progress of a transfer, to which the work reports. */
export interface Transfer {
  /** Aborted with the step, and when somebody cancels the transfer: to be looked at between two pieces. */
  readonly signal: AbortSignal;
  /** So many bytes more; 0 and less are ignored. */
  update(bytes: number): void;
  /** Sets the expected size (bytes), once that is known. */
  expect(total: number | null): void;
  /** Sets the status with which it ends when the work rejects. */
  failsAs(status: TransferStatus): void;
}
