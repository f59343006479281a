// Generated from stdlib/browser/playwright/pw-perf/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Collect load and paint metrics of the current page. */
  WR_pw_perf_collect: {
    params: {
      /** Milliseconds to watch for late metrics. */
      observe_ms: number
    }
    /** metric name to value */
    result: {
      ttfb?: number
      dom_content_loaded?: number
      load?: number
      fcp?: number
      lcp?: number
      cls?: number
      inp?: number
      [k: string]: number | undefined
    }
  }
}
