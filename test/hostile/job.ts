/** A command line that runs beside others in one process. */
export interface Job {
  readonly cwd: string;
  /** Words behind `svc`. */
  readonly words: readonly string[];
  /** File that is standard input. */
  readonly input?: string;
}

export interface JobResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number;
  /** Processor time. */
  readonly ms: number;
}
