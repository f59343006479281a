// Generated from stdlib/browser/playwright/pw-a11y/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Run the accessibility engine in the current page. */
  WR_pw_a11y_run_audit: {
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
}
