// Generated from stdlib/browser/runs/ledger/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Add one pass or fail entry to the run ledger. */
  WR_ledger_record_run: {
    params: {
      /** Ledger file. */
      ledger_path: string
      /** Action file, as the ledger is to spell it. */
      file_path: string
      /** Whether its run passed. */
      passed: boolean
    }
    result: null | undefined | void
  }
  /** Delete the run ledger. */
  WR_ledger_clear: {
    params: {
      /** Ledger file. */
      ledger_path: string
    }
    result: null | undefined | void
  }
  /** List files whose latest run failed. */
  WR_ledger_failed_files: {
    params: {
      /** Ledger file. */
      ledger_path: string
    }
    /** File paths, in the order in which they first appear. */
    result: ReadonlyArray<string>
  }
  /** List files whose latest run passed. */
  WR_ledger_passed_files: {
    params: {
      /** Ledger file. */
      ledger_path: string
    }
    /** File paths, in the order in which they first appear. */
    result: ReadonlyArray<string>
  }
  /** Count runs, passes and fails per file. */
  WR_flakiness_stats: {
    params: {
      /** Ledger file. */
      ledger_path: string
      /** Runs needed before a file can be flaky. */
      min_runs: number
      /** So many of the latest runs of each file count; null: all. The usual 50 become `min_runs` where that is more. */
      window: (number | null)
    }
    /** Counts by file path. */
    result: {
      [k: string]: {
        runs: number
        passes: number
        fails: number
        flaky: boolean
      }
    }
  }
  /** List files that are flaky. */
  WR_flaky_paths: {
    params: {
      /** Ledger file. */
      ledger_path: string
      /** Runs needed before a file can be flaky. */
      min_runs: number
      /** Smallest share of failed runs, 0 to 1. */
      min_fail_rate: number
      /** So many of the latest runs of each file count; null: all. The usual 50 become `min_runs` where that is more. */
      window: (number | null)
    }
    /** File paths, in the order in which they first appear. */
    result: ReadonlyArray<string>
  }
}
