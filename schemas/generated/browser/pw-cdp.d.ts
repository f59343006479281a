// Generated from stdlib/browser/playwright/pw-cdp/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Send one browser debugging-protocol command. */
  WR_pw_cdp: {
    params: {
      /** Domain and method, such as `Page.reload`. */
      method: string
      /** Command parameters. */
      params?: {
        [k: string]: unknown
      } | null
    }
    /** answer of the browser */
    result: unknown
  }
  /** Forget the kept debugging channels. */
  WR_pw_cdp_reset_sessions: {
    params: {}
    result: null | undefined | void
  }
}
