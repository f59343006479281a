// Generated from stdlib/browser/playwright/pw-throttle/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Slow the network of the current page down to a preset. */
  WR_pw_throttle: {
    params: {
      /** Preset name. */
      preset: ("fast_3g" | "no_throttling" | "offline" | "regular_4g" | "slow_3g" | "wifi")
    }
    /** answer of the browser, normally empty */
    result: unknown
  }
  /** Lift network throttling of the current page. */
  WR_pw_throttle_clear: {
    params: {}
    /** answer of the browser, normally empty */
    result: unknown
  }
}
