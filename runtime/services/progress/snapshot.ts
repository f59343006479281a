/** Status of a transfer. `aborted`: it grew beyond its limit; `checksum_failed`: its digest differs. */
export type TransferStatus = 'running' | 'done' | 'cancelled' | 'error' | 'aborted' | 'checksum_failed';

/** A transfer at one moment. */
export interface ProgressSnapshot {
  readonly name: string;
  /** Bytes expected; null where that is not known. */
  readonly total: number | null;
  readonly transferred: number;
  readonly status: TransferStatus;
  /** Seconds of a monotonic clock, for differences; `started` is the date. */
  readonly started_at: number;
  readonly finished_at: number | null;
  /** ISO 8601, UTC. */
  readonly started: string;
  readonly finished: string | null;
  /** Bytes a second, from the start to now or to the end. */
  readonly rate: number;
}
