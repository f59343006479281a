// Generated from stdlib/browser/reporting/ci/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Print one CI annotation per failed step. */
  WR_ci_emit_failures: {
    params: {
      /** Stream that gets the lines. */
      stream: ("stdout" | "stderr" | null)
      /** File path put into every line. */
      file: (string | null)
    }
    /** Lines that were printed. */
    result: ReadonlyArray<string>
  }
  /** Print one CI annotation per failure of a JUnit file. */
  WR_ci_emit_from_junit_xml: {
    params: {
      /** JUnit XML file. */
      junit_path: string
      /** Stream that gets the lines. */
      stream: ("stdout" | "stderr" | null)
    }
    /** Lines that were printed. */
    result: ReadonlyArray<string>
  }
  /** Format an error as a CI annotation line. */
  WR_ci_format_error: {
    params: {
      /** Message. */
      message: string
      /** File path. */
      file: (string | null)
      /** Line number. */
      line: (number | null)
      /** Column number. */
      col: (number | null)
      /** Title. */
      title: (string | null)
    }
    /** One line. */
    result: string
  }
}
