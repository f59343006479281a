// Generated from stdlib/files/safety/ratelimit/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
export interface Commands {
  /** Run nested actions once enough tokens are available. */
  FA_with_rate_limit: {
    params: {
      /** Bucket shared by all users of this name. */
      name: string
      /** Actions to run under the guard. */
      then: Block
      /** Tokens added per second. */
      rate: number
      /** Largest number of tokens; the rate, and at least 1, when left out. */
      burst: (number | null)
      /** Tokens needed. */
      tokens: number
      /** Longest wait in seconds; 0 tries once, null waits for ever. */
      timeout: (number | null)
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
  /** Take tokens from a bucket, waiting when needed. */
  FA_rate_limit_acquire: {
    params: {
      /** Bucket name. */
      name: string
      /** Tokens added per second. */
      rate: number
      /** Largest number of tokens; the rate, and at least 1, when left out. */
      burst: (number | null)
      /** Tokens needed. */
      tokens: number
      /** Longest wait in seconds; 0 tries once, null waits for ever. */
      timeout: (number | null)
    }
    /** true when taken */
    result: true
  }
}
