// Generated from stdlib/browser/runs/classify/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Sort an error text into transient or environment. */
  WR_classify_error: {
    params: {
      /** Error text. */
      error_repr: (string | null)
    }
    /** The class; null where no pattern matches. */
    result: ("transient" | "environment" | null)
  }
  /** Sort one failure into one of the four failure classes. */
  WR_classify_failure: {
    params: {
      /** Error text. */
      error_repr: string
      /** Run ledger. */
      ledger_path: (string | null)
      /** Action file of the failure, as the ledger spells it. */
      file_path: (string | null)
    }
    /** Failure class. */
    result: ("transient" | "flaky" | "environment" | "real")
  }
  /** Sort a list of failures into failure classes. */
  WR_classify_failures: {
    params: {
      /** Failures. */
      failures: ReadonlyArray<{
        function_name?: (string | null)
        exception?: (string | null)
        file_path?: (string | null)
        [k: string]: unknown
      }>
      /** Run ledger. */
      ledger_path: (string | null)
    }
    /** Class by name of the failure. */
    result: {
      [k: string]: "transient" | "flaky" | "environment" | "real"
    }
  }
}
