// Generated from stdlib/files/safety/retry/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
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
      /** Failures that are tried again, by name, code, class or kind; those that may pass when left out. */
      retriable: (ReadonlyArray<string> | null)
      /** Run the actions before the failed one once more too. */
      whole_list: boolean
    }
    /** one entry per action in list order, by `execute[<index>]: <command>` */
    result: {
      results: {
        [k: string]: {
          index: number
          action: string
          status: ("ok" | "error" | "skipped" | "dry_run")
          value?: unknown
          error?: {
            type: string
            message: string
          }
          /** why it was skipped */
          reason?: string
        }
      }
    }
  }
}
