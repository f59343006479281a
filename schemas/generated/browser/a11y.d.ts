// Generated from stdlib/browser/checks/a11y/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Read the script text of the accessibility engine from a file. */
  WR_a11y_load_a11yengine: {
    params: {
      /** Script file. */
      path?: (string | null)
    }
    /** script text */
    result: string
  }
  /** Run the accessibility engine in the current page. */
  WR_a11y_run_audit: {
    params: {
      /** Script text of the accessibility engine; without it axe-core. */
      a11yengine_source?: (string | null)
      /** Run options handed to the engine. */
      options?: {
        [k: string]: unknown
      } | null
    }
    /** full result of the engine */
    result: {
      [k: string]: unknown
    }
  }
  /** Shorten accessibility results to one line per violation. */
  WR_a11y_summarise: {
    params: {
      /** Result of an audit command. */
      results: unknown
    }
    /** violations */
    result: ReadonlyArray<{
      id: (string | null)
      impact: (string | null)
      help: (string | null)
      nodes: number
      elements: ReadonlyArray<{
        selector: string
        snippet: string
      }>
    }>
  }
}
