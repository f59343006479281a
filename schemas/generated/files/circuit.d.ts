// Generated from stdlib/files/safety/circuit/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

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
      /** Error names that count as failures; all when left out. */
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
