// Generated from stdlib/files/safety/quota/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
export interface Commands {
  /** Run nested actions under a time budget. */
  FA_with_quota: {
    params: {
      /** Actions to run under the guard. */
      then: Block
      /** Longest run time in seconds; 0 means no limit. */
      max_seconds: number
      /** Largest size of a single result in bytes; 0 means no limit. */
      max_bytes: number
      /** Name used in messages. */
      label: string
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
  /** Fail when a file or a number of bytes exceeds a limit. */
  FA_quota_check_size: {
    params: {
      /** Limit in bytes; 0 means no limit. */
      max_bytes: number
      /** File or folder to measure. */
      path: (string | null)
      /** Size to test instead of a file. */
      nbytes: (number | null)
      /** Name used in messages. */
      label: string
    }
    /** the measured size */
    result: number
  }
}
