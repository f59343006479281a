// Generated from stdlib/browser/playwright/pw-pages/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Close a page. */
  WR_pw_close_page: {
    params: {
      /** Page index; null closes the current page. */
      index?: (number | null)
    }
    result: null | undefined | void
  }
  /** Open a page in the same context and make it current. */
  WR_pw_new_page: {
    params: {}
    /** index of the new page */
    result: number
  }
  /** Count the open pages. */
  WR_pw_page_count: {
    params: {}
    /** number of pages */
    result: number
  }
  /** Make another open page the current one. */
  WR_pw_switch_to_page: {
    params: {
      /** Page index. */
      index: number
    }
    result: null | undefined | void
  }
}
