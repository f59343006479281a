declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly intervals: Intervals;
  }
}

/** Jobs of a unit that repeat at fixed intervals while `run` runs; one at a time. */
export interface Intervals {
  /** Fails where the name is taken. */
  add(job: NewIntervalJob): void;
  /** Successful runs of each job, by its name, in the order in which jobs were added. */
  counts(): ReadonlyMap<string, number>;
  /** Stops what runs and forgets all jobs. */
  reset(): void;
  /**
   * Runs the jobs for `ms` milliseconds; null: until `stop`. Returns at once without jobs. Rejects with the signal's
   * reason.
   */
  run(ms: number | null, signal: AbortSignal): Promise<void>;
  /** The job that runs now ends by itself; no other begins. */
  stop(): void;
}

export interface NewIntervalJob {
  readonly name: string;
  /** Pause in milliseconds before the first run, and from the end of a run to the next. */
  readonly pause: number;
  run(signal: AbortSignal): Promise<void>;
}
