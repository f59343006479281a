import type { Clock } from '#schemas/types/host.ts';

import type { ProgressSnapshot, TransferStatus } from './snapshot.ts';

/**
 * Counts the bytes of one transfer. Its times are differences of the monotonic clock, so a clock that is set changes
 * none.
 */
export class ProgressReporter {
  readonly name: string;
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #started: number;
  #total: number | null;
  #transferred = 0;
  #status: TransferStatus = 'running';
  #finishedAt: number | null = null;

  /** `total`: bytes expected. */
  constructor(clock: Clock, name: string, { total = null }: { readonly total?: number | null } = {}) {
    this.name = name;
    this.#clock = clock;
    this.#startedAt = clock.monotonic();
    this.#started = clock.now();
    this.#total = total;
  }

  get is_finished(): boolean {
    return this.#finishedAt !== null;
  }

  /** So many bytes more; steps of 0 or less, and those after the end, are ignored. */
  update(bytes: number): void {
    if (bytes > 0 && !this.is_finished) this.#transferred += bytes;
  }

  expect(total: number | null): void {
    this.#total = total;
  }

  /** Ends it; what has ended stays as it is. */
  finish(status: Exclude<TransferStatus, 'running'> = 'done'): void {
    if (this.is_finished) return;
    this.#status = status;
    this.#finishedAt = this.#clock.monotonic();
  }

  snapshot(): ProgressSnapshot {
    const end = this.#finishedAt ?? this.#clock.monotonic();
    const seconds = (end - this.#startedAt) / 1000;
    return {
      name: this.name,
      total: this.#total,
      transferred: this.#transferred,
      status: this.#status,
      started_at: this.#startedAt / 1000,
      finished_at: this.#finishedAt === null ? null : this.#finishedAt / 1000,
      started: new Date(this.#started).toISOString(),
      finished: this.#finishedAt === null ? null : new Date(this.#started + seconds * 1000).toISOString(),
      rate: seconds > 0 ? Math.round(this.#transferred / seconds) : 0,
    };
  }
}
