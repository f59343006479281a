// Generated from stdlib/browser/playwright/pw-screenshot/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Save a PNG of the current page. */
  WR_pw_screenshot: {
    params: {
      /** File to write; the ending decides png or jpeg. */
      path: string
      /** true takes the whole scrollable page. */
      full_page: boolean
    }
    /** the given path */
    result: string
  }
  /** Take a PNG of the current page. */
  WR_pw_screenshot_bytes: {
    params: {
      /** true takes the whole scrollable page. */
      full_page: boolean
    }
    /** PNG image, base64 in JSON */
    result: string
  }
}
