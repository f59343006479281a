// Generated from stdlib/files/jobs/progress/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** List watched transfers. */
  FA_progress_list: {
    params: {}
    /** snapshots of running and finished transfers, in the order in which they began */
    result: ReadonlyArray<{
      name: string
      /** bytes expected */
      total: (number | null)
      /** bytes so far */
      transferred: number
      status: ("running" | "done" | "cancelled" | "error" | "aborted" | "checksum_failed")
      /** seconds of a monotonic clock */
      started_at: number
      /** seconds of the same clock */
      finished_at: (number | null)
      started: string
      finished: (string | null)
      /** bytes a second */
      rate: number
    }>
  }
  /** Ask a watched transfer to stop. */
  FA_progress_cancel: {
    params: {
      /** Transfer name. */
      name: string
    }
    /** true when a transfer of that name was running */
    result: boolean
  }
  /** Forget finished transfers. */
  FA_progress_clear: {
    params: {}
    /** number forgotten */
    result: number
  }
}
