// Generated from stdlib/browser/checks/perfaudit/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Run the external page auditor and yield its scores. */
  WR_perfaudit_run: {
    params: {
      /** Page to audit. */
      url: string
      /** Path for the report; null uses a temporary file. */
      output_path: (string | null)
      /** Executable of the auditor. */
      perfaudit_path: string
      /** Switches for the audited browser. */
      chrome_flags: (ReadonlyArray<string> | null)
      /** Extra arguments, appended last. */
      extra_args: (ReadonlyArray<string> | null)
      /** Limit in seconds. */
      timeout: number
    }
    /** Scores from 0 to 1, path of the report, the report itself. */
    result: {
      scores: {
        performance: (number | null)
        accessibility: (number | null)
        best_practices: (number | null)
        seo: (number | null)
        pwa: (number | null)
      }
      report_path: (string | null)
      raw: {
        [k: string]: unknown
      }
    }
  }
  /** Fail when an audit score is below its minimum. */
  WR_perfaudit_assert_scores: {
    params: {
      /** Value of WR_perfaudit_run. */
      result: {
        scores: {
          [k: string]: unknown
        }
        [k: string]: unknown
      }
      /** Category to smallest accepted score, 0 to 1. */
      thresholds: {
        [k: string]: number
      }
    }
    result: null | undefined | void
  }
}
