// Generated from stdlib/browser/runs/scheduler/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
export interface Commands {
  /** Register a job that repeats at a fixed interval. */
  WR_schedule: {
    params: {
      /** Job name. */
      name: string
      /** Seconds before the first run and between the runs. */
      interval_seconds: number
      /** Function to call, `file.mjs#export`; it receives nothing. */
      callback: (string | null)
      /** Actions to run instead of a function. */
      then?: Block
    }
    result: null | undefined | void
  }
  /** Read how often each job has run. */
  WR_scheduler_counts: {
    params: {}
    /** Number of runs by job name. */
    result: {
      [k: string]: number
    }
  }
  /** Forget all jobs and counters. */
  WR_reset_scheduler: {
    params: {}
    result: null | undefined | void
  }
  /** Run the jobs for a given time. */
  WR_run_scheduler_for: {
    params: {
      /** Time to run. */
      seconds: number
    }
    result: null | undefined | void
  }
  /** Run the jobs until told to stop. */
  WR_run_scheduler_forever: {
    params: {}
    result: null | undefined | void
  }
  /** Stop the running scheduler. */
  WR_stop_scheduler: {
    params: {}
    result: null | undefined | void
  }
}
