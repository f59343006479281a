import * as fail from '#schemas/generated/failures.ts';
import type { Clock } from '#schemas/types/host.ts';

import type { Intervals, NewIntervalJob } from './port.ts';

interface Job extends NewIntervalJob {
  count: number;
  /** Monotonic time (ms) of its next run. */
  due: number;
}

/**
 * Runs jobs one after the other, each a pause after its last run ended. Hears nothing of other processes and keeps
 * nothing.
 */
export class IntervalJobs implements Intervals {
  readonly #clock: Clock;
  readonly #onFailed: (name: string, reason: string) => void;
  readonly #jobs = new Map<string, Job>();
  /** Aborted when what runs is to stop; absent while nothing runs. */
  #running: AbortController | undefined;

  constructor(clock: Clock, onFailed: (name: string, reason: string) => void) {
    this.#clock = clock;
    this.#onFailed = onFailed;
  }

  add(job: NewIntervalJob): void {
    if (this.#jobs.has(job.name)) throw fail.jobExists({ name: job.name });
    this.#jobs.set(job.name, { ...job, run: job.run, count: 0, due: this.#clock.monotonic() + job.pause });
  }

  counts(): ReadonlyMap<string, number> {
    return new Map([...this.#jobs.values()].map(({ name, count }) => [name, count]));
  }

  reset(): void {
    this.stop();
    this.#jobs.clear();
  }

  stop(): void {
    this.#running?.abort();
  }

  async run(ms: number | null, signal: AbortSignal): Promise<void> {
    const stopped = new AbortController();
    const end = ms === null ? Infinity : this.#clock.monotonic() + ms;
    this.stop();
    this.#running = stopped;
    const begin = this.#clock.monotonic();
    for (const job of this.#jobs.values()) job.due = begin + job.pause;
    try {
      for (let job = this.#next(); job && job.due < end; job = this.#next()) {
        if (!(await this.#waitUntil(job.due, stopped.signal, signal))) return;
        await this.#runOnce(job, signal);
      }
      if (this.#jobs.size > 0 && !stopped.signal.aborted) await this.#waitUntil(end, stopped.signal, signal);
    } finally {
      if (this.#running === stopped) this.#running = undefined;
    }
  }

  #next(): Job | undefined {
    return [...this.#jobs.values()].reduce<Job | undefined>(
      (first, job) => (first === undefined || job.due < first.due ? job : first),
      undefined,
    );
  }

  /** False where it was stopped meanwhile. */
  async #waitUntil(time: number, stopped: AbortSignal, signal: AbortSignal): Promise<boolean> {
    if (stopped.aborted) return false;
    const left = Math.max(0, time - this.#clock.monotonic());
    try {
      await this.#clock.sleep(left, AbortSignal.any([stopped, signal]));
    } catch (error) {
      if (!stopped.aborted || signal.aborted) throw error;
      return false;
    }
    return !stopped.aborted;
  }

  async #runOnce(job: Job, signal: AbortSignal): Promise<void> {
    try {
      await job.run(signal);
      job.count += 1;
    } catch (error) {
      if (signal.aborted) throw error;
      this.#onFailed(job.name, error instanceof Error ? error.message : String(error));
    }
    job.due = this.#clock.monotonic() + job.pause;
  }
}
