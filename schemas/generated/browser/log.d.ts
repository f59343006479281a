// Generated from stdlib/browser/webdriver/log/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Fetch collected log entries of one kind. */
  WR_get_log: {
    params: {
      /** Kind of log. */
      log_type: ("browser" | "driver" | "client" | "server" | "performance")
    }
    /** entries since the last fetch */
    result: ReadonlyArray<{
      level?: string
      message?: string
      timestamp?: number
    }>
  }
}
