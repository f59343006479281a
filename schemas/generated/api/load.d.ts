// Generated from stdlib/api/checks/load/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Write a load-test file from actions or recorded traffic. */
  AT_write_load_test: {
    params: {
      /** File to write; missing folders are made. */
      output_path: string
      /** Action file with the requests. */
      action_file: (string | null)
      /** Saved success reports, used when no action file is given. */
      report_paths: (ReadonlyArray<string> | null)
      /** Users, start rate, seconds and order of the tasks. */
      profile: ({
        user?: ("fast_http_user" | "http_user")
        user_count?: number
        spawn_rate?: number
        test_time?: number
        mode?: ("sequence" | "weighted")
        /** Requests a second; they begin whether earlier ones were answered or not. */
        rate?: number
        /** Levels that are reached one after the other, in a straight line. */
        stages?: ReadonlyArray<{
          users?: number
          rate?: number
          seconds: number
        }>
        /** Most requests at once under a rate. */
        most_at_once?: number
        /** Shortest and longest pause of a user. */
        think_seconds?: ReadonlyArray<number>
      } | null)
    }
    /** Path of the file that was written. */
    result: string
  }
  /** Run a load test in a separate process and judge its summary. */
  AT_run_load_test: {
    params: {
      /** Action file with the requests. */
      action_file: (string | null)
      /** Saved success reports, used when no action file is given. */
      report_paths: (ReadonlyArray<string> | null)
      /** Users, start rate, seconds and order of the tasks. */
      profile: ({
        user?: ("fast_http_user" | "http_user")
        user_count?: number
        spawn_rate?: number
        test_time?: number
        mode?: ("sequence" | "weighted")
        /** Requests a second; they begin whether earlier ones were answered or not. */
        rate?: number
        /** Levels that are reached one after the other, in a straight line. */
        stages?: ReadonlyArray<{
          users?: number
          rate?: number
          seconds: number
        }>
        /** Most requests at once under a rate. */
        most_at_once?: number
        /** Shortest and longest pause of a user. */
        think_seconds?: ReadonlyArray<number>
      } | null)
      /** Limits the summary must keep. */
      thresholds: ({
        max_failure_rate?: (number | null)
        max_p95_ms?: (number | null)
        max_p99_ms?: (number | null)
        min_requests_per_second?: (number | null)
        min_requests?: number
      } | null)
      /** Python that runs Locust; the built-in engine when left out. */
      python: (string | null)
      /** CSV, JSON or JSON Lines file; each request takes the next row for its ${ROW.…}. */
      data: (string | null)
    }
    /** what was found, and where its files are */
    result: {
      ok: boolean
      problems: ReadonlyArray<string>
      summary: {
        [k: string]: unknown
      }
      returncode: number
      work_dir: string
      skipped: ReadonlyArray<string>
      report: string
    }
  }
}
