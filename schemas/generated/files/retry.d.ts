// Generated from stdlib/files/safety/retry/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

export interface Commands {
  /** Run nested actions again when they fail for a passing reason. */
  FA_with_retry: {
    params: {
      /** Actions to run under the guard. */
      then: Block
      /** Tries in total. */
      max_attempts: number
      /** First wait in seconds. */
      backoff_base: number
      /** Longest wait in seconds. */
      backoff_cap: number
      /** Error names that are retried; network, time-out and I/O errors when left out. */
      retriable: (ReadonlyArray<string> | null)
    }
    /** results of the nested actions */
    result: {
      results: {
        [k: string]: unknown
      }
      [k: string]: unknown
    }
  }
}
