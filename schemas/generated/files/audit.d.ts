// Generated from stdlib/files/safety/audit/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Open the audit log; from now on every action writes a row. */
  FA_audit_open: {
    params: {
      /** SQLite file, created when missing. */
      db_path: string
      /** Name stored with each row. */
      actor: (string | null)
    }
    /** path and present row count */
    result: {
      db_path: string
      count: number
    }
  }
  /** Stop writing audit rows. */
  FA_audit_close: {
    params: {}
    /** true when a log was open */
    result: boolean
  }
  /** Write one audit row by hand. */
  FA_audit_record: {
    params: {
      /** Action that was done. */
      action: string
      /** Name of the one who did it. */
      actor: (string | null)
      /** Outcome. */
      status: ("ok" | "error")
      /** Duration in milliseconds. */
      duration_ms: number
      /** Anything else, as an object. */
      detail: {
        [k: string]: unknown
      }
    }
    /** row id */
    result: number
  }
  /** Read the newest audit rows. */
  FA_audit_recent: {
    params: {
      /** Largest number of rows. */
      limit: number
      /** Only this command. */
      action: (string | null)
      /** Only this outcome. */
      status: ("ok" | "error" | null)
      /** Only this actor. */
      actor: (string | null)
      /** Not older than this. */
      since: (string | null)
      /** Not newer than this. */
      until: (string | null)
    }
    /** rows, newest first */
    result: ReadonlyArray<{
      id: number
      timestamp: string
      action: string
      actor: (string | null)
      status: ("ok" | "error")
      duration_ms: number
      detail: {
        [k: string]: unknown
      }
    }>
  }
  /** Count audit rows. */
  FA_audit_count: {
    params: {
      /** Only this command. */
      action: (string | null)
      /** Only this outcome. */
      status: ("ok" | "error" | null)
      /** Only this actor. */
      actor: (string | null)
      /** Not older than this. */
      since: (string | null)
      /** Not newer than this. */
      until: (string | null)
    }
    /** number of rows */
    result: number
  }
  /** Delete old audit rows. */
  FA_audit_purge: {
    params: {
      /** Age limit in seconds. */
      older_than_seconds: number
    }
    /** rows deleted */
    result: number
  }
}
