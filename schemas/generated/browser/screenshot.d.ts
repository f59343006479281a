// Generated from stdlib/browser/webdriver/screenshot/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Take a PNG of the visible page area as base64 text. */
  WR_get_screenshot_as_base64: {
    params: {
      /** File to write the picture to, too; `.png` is added where it is missing. */
      path?: string
    }
    /** PNG image, base64 */
    result: string
  }
  /** Take a PNG of the visible page area as bytes. */
  WR_get_screenshot_as_png: {
    params: {
      /** File to write the picture to, too; `.png` is added where it is missing. */
      path?: string
    }
    /** PNG image, base64 */
    result: string
  }
}
