// Generated from stdlib/files/local/conditional/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
export interface Commands {
  /** Run nested actions when a path exists. */
  FA_if_exists: {
    params: {
      /** File or folder to test. */
      path: string
      /** Actions to run when it exists. */
      then?: Block
      /** Actions to run when the test fails. */
      else_?: Block
    }
    /** whether the test held, and one entry per action of the branch that ran, by `execute[<index>]: <command>` */
    result: {
      /** whether the test held */
      matched: boolean
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
  /** Run nested actions when one path is newer than another. */
  FA_if_newer: {
    params: {
      /** Path that must be newer. */
      source: string
      /** Path to compare with. */
      target: string
      /** Actions to run when newer. */
      then?: Block
      /** Actions to run when the test fails. */
      else_?: Block
    }
    /** whether the test held, and one entry per action of the branch that ran, by `execute[<index>]: <command>` */
    result: {
      /** whether the test held */
      matched: boolean
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
  /** Run nested actions when a file is larger than a limit. */
  FA_if_size_gt: {
    params: {
      /** File to measure. */
      path: string
      /** Limit in bytes; must be exceeded strictly. */
      size: number
      /** Actions to run when larger. */
      then?: Block
      /** Actions to run when the test fails. */
      else_?: Block
    }
    /** whether the test held, and one entry per action of the branch that ran, by `execute[<index>]: <command>` */
    result: {
      /** whether the test held */
      matched: boolean
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
