// Generated from stdlib/browser/webdriver/cookies/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Set a cookie on the current site. */
  WR_add_cookie: {
    params: {
      /** Cookie; `expiry` is in seconds since 1970. */
      cookie_dict: {
        name: string
        value: string
        path?: string
        domain?: string
        secure?: boolean
        httpOnly?: boolean
        /** seconds since 1970 */
        expiry?: number
        /** the same as `WR_pw_get_cookies` calls it; -1 is a cookie of the browser session */
        expires?: number
        sameSite?: ("Strict" | "Lax" | "None")
      }
    }
    result: null | undefined | void
  }
  /** Delete every cookie of the current site. */
  WR_delete_all_cookies: {
    params: {}
    result: null | undefined | void
  }
  /** Delete one cookie of the current site. */
  WR_delete_cookie: {
    params: {
      /** Cookie name. */
      name: string
    }
    result: null | undefined | void
  }
  /** Read one cookie of the current site. */
  WR_get_cookie: {
    params: {
      /** Cookie name. */
      name: string
    }
    /** the cookie, or null */
    result: {
      [k: string]: unknown
    } | null
  }
  /** Read every cookie of the current site. */
  WR_get_cookies: {
    params: {}
    /** cookies that the page can see */
    result: ReadonlyArray<{
      [k: string]: unknown
    }>
  }
}
