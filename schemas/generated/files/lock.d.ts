// Generated from stdlib/files/safety/lock/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
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
  /** Run nested actions while holding a named lease in a database. */
  FA_with_db_lock: {
    params: {
      /** SQLite file, or address of a PostgreSQL or MariaDB database, shared by all participants. */
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
  /** Show who holds a named lease. */
  FA_db_lock_status: {
    params: {
      /** SQLite file, or address of a PostgreSQL or MariaDB database. */
      db_path: string
      /** Lease name. */
      name: string
    }
    /** state of the lease */
    result: {
      held: boolean
      /** 32 hex digits of the lease */
      owner?: (string | null)
      /** seconds since 1970 */
      acquired_at?: (number | null)
      /** seconds since 1970; null also without end */
      expires_at?: (number | null)
      /** on a server, how often this name was claimed so far */
      fence?: (number | null)
    }
  }
}
