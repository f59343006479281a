import type { LoadPlan, LoadResult } from '#schemas/types/load.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly load: LoadPort;
  }
}

/** Puts load on servers from a process of its own. */
export interface LoadPort {
  /**
   * Resolves when the plan is over. The process is ended, with all that is under way, when the signal is aborted or
   * when it takes longer than it may; nothing of the plan stands on its command line.
   */
  run(plan: LoadPlan, options: LoadOptions): Promise<LoadRun>;
  /** One result of several, without loss: counts are added, percentiles are those of all values. */
  merge(results: readonly LoadResult[]): Promise<LoadResult>;
}

export interface LoadOptions {
  /** Time limit (ms) for the plan and its end; then the process is ended. */
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
  /**
   * Hears what there was when the signal was aborted, before the run rejects; the lines that it yields are told to
   * people. It has about a second.
   */
  readonly stopped?: (result: LoadResult) => Promise<readonly string[]>;
}

export interface LoadRun {
  /** Undefined: the process ended without one. */
  readonly result: LoadResult | undefined;
  /** -1: it was ended because it took too long. */
  readonly code: number;
  /** The end of what it wrote beside the result, for failures. */
  readonly output: string;
}
