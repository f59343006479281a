// Generated from stdlib/api/checks/load/commands.yaml by `npm run generate`. Do not edit.
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
      } | null)
      /** Limits the summary must keep. */
      thresholds: ({
        max_failure_rate?: (number | null)
        max_p95_ms?: (number | null)
        min_requests?: number
      } | null)
      /** Program that starts the load engine; the built-in one when left out. */
      python: (string | null)
    }
    /** ok, problems, summary, exit code and work directory */
    result: {
      ok: boolean
      problems: ReadonlyArray<string>
      summary: {
        [k: string]: unknown
      }
      returncode: number
      work_dir: string
    }
  }
}
