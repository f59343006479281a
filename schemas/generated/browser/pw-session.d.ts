// Generated from stdlib/browser/playwright/pw-session/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Build launch switches that load an unpacked extension. */
  WR_pw_extension_args: {
    params: {
      /** Folder of the unpacked extension. */
      extension_dir: string
    }
    /** two command-line switches */
    result: ReadonlyArray<string>
  }
  /** Start the second engine with one browser, one context and one page. */
  WR_pw_launch: {
    params: {
      /** Browser family. */
      browser: ("chromium" | "firefox" | "webkit")
      /** false shows the window. */
      headless: boolean
      /** Network archive file to record. */
      record_har_path?: (string | null)
      /** Treatment of bodies in the archive. */
      record_har_content: ("omit" | "embed" | "attach")
      /** Folder of a profile that is kept; extensions need one. */
      user_data_dir?: (string | null)
      /** Further launcher options, such as args or slow_mo, in snake or camel case. */
      options?: {
        [k: string]: unknown
      }
    }
    result: null | undefined | void
  }
  /** Close the second engine and its browser. */
  WR_pw_quit: {
    params: {}
    result: null | undefined | void
  }
}
