// Generated from stdlib/browser/checks/perf/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Fail when a page metric exceeds its budget. */
  WR_perf_assert_within: {
    params: {
      /** Metric name to measured value. */
      metrics: {
        [k: string]: unknown
      }
      /** Metric name to largest accepted value. */
      thresholds: {
        [k: string]: number
      }
    }
    result: null | undefined | void
  }
  /** Collect load and paint metrics of the current page. */
  WR_perf_collect: {
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
