// Generated from stdlib/browser/playwright/pw-navigation/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Go one step back in the history. */
  WR_pw_back: {
    params: {}
    result: null | undefined | void
  }
  /** Read the full markup of the current page. */
  WR_pw_content: {
    params: {}
    /** serialised markup with doctype */
    result: string
  }
  /** Go one step forward in the history. */
  WR_pw_forward: {
    params: {}
    result: null | undefined | void
  }
  /** Reload the current page. */
  WR_pw_refresh: {
    params: {}
    result: null | undefined | void
  }
  /** Read the title of the current page. */
  WR_pw_title: {
    params: {}
    /** title */
    result: string
  }
  /** Open an address in the current page. */
  WR_pw_to_url: {
    params: {
      /** Absolute address, or one that `meta.base_url` completes. */
      url: string
      /** State of the page that is waited for: its first bytes, its document, all that it loads, or half a second without requests. */
      wait_until: ("commit" | "domcontentloaded" | "load" | "networkidle")
    }
    result: null | undefined | void
  }
  /** Read the address of the current page. */
  WR_pw_url: {
    params: {}
    /** address */
    result: string
  }
}
