// Generated from stdlib/browser/webdriver/throttle/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Slow the network of the current session down to a preset. */
  WR_throttle: {
    params: {
      /** Preset name. */
      preset: ("fast_3g" | "no_throttling" | "offline" | "regular_4g" | "slow_3g" | "wifi")
    }
    /** answer of the browser, normally empty */
    result: unknown
  }
  /** Lift network throttling of the current session. */
  WR_throttle_clear: {
    params: {}
    /** answer of the browser, normally empty */
    result: unknown
  }
  /** List the names of the throttling presets. */
  WR_throttle_presets: {
    params: {}
    /** names in alphabetical order */
    result: ReadonlyArray<string>
  }
}
