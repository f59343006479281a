// Generated from stdlib/browser/webdriver/script/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Send a raw WebDriver protocol command to the session. */
  WR_execute: {
    params: {
      /** Protocol command name, for example `getTitle`. */
      driver_command: string
      /** Command parameters. */
      params?: {
        [k: string]: unknown
      } | null
    }
    /** whatever the driver answers */
    result: unknown
  }
  /** Run script text in the page and yield its result. */
  WR_execute_script: {
    params: {
      /** Function body; `return` gives the value. */
      script: string
      /** Further positions reach the script as its arguments. */
      args?: ReadonlyArray<unknown>
    }
    /** value returned by the script */
    result: unknown
  }
  /** Run script text that reports its result through a callback. */
  WR_execute_async_script: {
    params: {
      /** Function body; its last argument is the callback. */
      script: string
      /** Further positions reach the script as its arguments. */
      args?: ReadonlyArray<unknown>
    }
    /** value passed to the callback */
    result: unknown
  }
  /** Send one browser debugging-protocol command. */
  WR_cdp: {
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
}
