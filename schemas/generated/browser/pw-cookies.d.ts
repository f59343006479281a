// Generated from stdlib/browser/playwright/pw-cookies/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Add cookies to the context. */
  WR_pw_add_cookies: {
    params: {
      /** Cookies; each needs `url`, or `domain` and `path`. */
      cookies: ReadonlyArray<{
        name: string
        value: string
        url?: string
        domain?: string
        path?: string
        expires?: number
        expiry?: number
        httpOnly?: boolean
        secure?: boolean
        sameSite?: ("Strict" | "Lax" | "None")
      }>
    }
    result: null | undefined | void
  }
  /** Remove all cookies of the context. */
  WR_pw_clear_cookies: {
    params: {}
    result: null | undefined | void
  }
  /** Read all cookies of the context. */
  WR_pw_get_cookies: {
    params: {}
    /** cookies of all sites */
    result: ReadonlyArray<{
      [k: string]: unknown
    }>
  }
}
