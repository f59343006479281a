// Generated from stdlib/browser/webdriver/navigation/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Open an address in the current window. */
  WR_to_url: {
    params: {
      /** Absolute address, or one that `meta.base_url` completes. */
      url: string
    }
    result: null | undefined | void
  }
  /** Go one step back in the history. */
  WR_back: {
    params: {}
    result: null | undefined | void
  }
  /** Go one step forward in the history. */
  WR_forward: {
    params: {}
    result: null | undefined | void
  }
  /** Reload the current page. */
  WR_refresh: {
    params: {}
    result: null | undefined | void
  }
}
