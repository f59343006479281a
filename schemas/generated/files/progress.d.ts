// Generated from stdlib/files/jobs/progress/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** List watched transfers. */
  FA_progress_list: {
    params: {}
    /** snapshots of running and finished transfers */
    result: ReadonlyArray<{
      name: string
      total: (number | null)
      transferred: number
      status: ("running" | "done" | "cancelled" | "error" | "aborted" | "checksum_failed")
      started_at: number
      finished_at: (number | null)
    }>
  }
  /** Ask a watched transfer to stop. */
  FA_progress_cancel: {
    params: {
      /** Transfer name. */
      name: string
    }
    /** true when the name is known */
    result: boolean
  }
  /** Forget finished transfers. */
  FA_progress_clear: {
    params: {}
    /** number forgotten */
    result: number
  }
}
