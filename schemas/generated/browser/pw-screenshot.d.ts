// Generated from stdlib/browser/playwright/pw-screenshot/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Save a picture of the current page. */
  WR_pw_screenshot: {
    params: {
      /** File to write; the ending `.jpg` or `.jpeg` makes it a JPEG, anything else a PNG. */
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
      /** File to write the picture to, too; `.png` is added where it is missing. */
      path?: string
    }
    /** PNG image, base64 */
    result: string
  }
}
