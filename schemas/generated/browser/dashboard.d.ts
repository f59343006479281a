// Generated from stdlib/browser/operations/dashboard/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Serve a small progress page over HTTP. */
  WR_dashboard_start: {
    params: {
      /** Address to listen on. */
      host: string
      /** Port; 0 picks a free one. */
      port: number
      /** Secret that readers must give; needed beyond this machine. */
      shared_secret: (string | null)
      /** true lets other machines in. */
      allow_non_loopback: boolean
    }
    /** Address of the page. */
    result: string
  }
  /** Stop the progress page. */
  WR_dashboard_stop: {
    params: {}
    result: null | undefined | void
  }
}
