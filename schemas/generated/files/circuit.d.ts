// Generated from stdlib/files/safety/circuit/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
export interface Commands {
  /** Run nested actions unless they failed too often lately. */
  FA_with_circuit_breaker: {
    params: {
      /** Breaker shared by all users of this name. */
      name: string
      /** Actions to run under the guard. */
      then: Block
      /** Failures in a row that open the breaker. */
      failure_threshold: number
      /** Seconds until a trial is allowed. */
      recovery_timeout: number
      /** Failures that count, by name, code, class or kind; all when left out. */
      retriable: (ReadonlyArray<string> | null)
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
  /** Show the state of a breaker. */
  FA_circuit_breaker_state: {
    params: {
      /** Breaker name. */
      name: string
    }
    /** state */
    result: ("closed" | "open" | "half_open")
  }
  /** Close a breaker by hand. */
  FA_circuit_breaker_reset: {
    params: {
      /** Breaker name. */
      name: string
    }
    result: null | undefined | void
  }
}
