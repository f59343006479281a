// Generated from stdlib/files/safety/lock/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

export interface Commands {
  /** Run nested actions while holding an exclusive lock file. */
  FA_with_file_lock: {
    params: {
      /** Lock file; created when missing and left in place. */
      path: string
      /** Actions to run under the guard. */
      then: Block
      /** Longest wait in seconds; 0 tries once, null waits for ever. */
      timeout: (number | null)
    }
    /** results of the nested actions */
    result: {
      results: {
        [k: string]: unknown
      }
      [k: string]: unknown
    }
  }
  /** Run nested actions while holding a named lease in a SQLite file. */
  FA_with_db_lock: {
    params: {
      /** SQLite file shared by all participants. */
      db_path: string
      /** Lease name. */
      name: string
      /** Actions to run under the guard. */
      then: Block
      /** Longest wait in seconds; 0 tries once, null waits for ever. */
      timeout: (number | null)
      /** Lease life in seconds; null never expires. */
      ttl: (number | null)
    }
    /** results of the nested actions */
    result: {
      results: {
        [k: string]: unknown
      }
      [k: string]: unknown
    }
  }
  /** Show who holds a named lease. */
  FA_db_lock_status: {
    params: {
      /** SQLite file. */
      db_path: string
      /** Lease name. */
      name: string
    }
    /** state of the lease */
    result: {
      held: boolean
      owner?: (string | null)
      acquired_at?: (number | null)
      expires_at?: (number | null)
    }
  }
}
