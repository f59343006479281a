// Generated from stdlib/api/reports/trend/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Add a summary of the current records to the trend database. */
  AT_record_current_run: {
    params: {
      /** SQLite file. */
      db_path: string
    }
    /** Path of the database. */
    result: string
  }
  /** List run summaries from the trend database. */
  AT_list_trend_rows: {
    params: {
      /** SQLite file. */
      db_path: string
      /** Largest number of rows. */
      limit: number
    }
    /** rows, newest first; avg_elapsed in seconds */
    result: ReadonlyArray<{
      captured_at: string
      success_count: number
      failure_count: number
      avg_elapsed: number
    }>
  }
  /** Store the response times per endpoint of this run. */
  AT_record_endpoint_latencies: {
    params: {
      /** SQLite file. */
      db_path: string
      /** Label of the run, such as a build number. */
      run_label: string
      /** Saved success reports to read as well. */
      report_paths: (ReadonlyArray<string> | null)
      /** OpenAPI path templates that name the endpoints. */
      templates: ReadonlyArray<string>
    }
    /** id and label of the run and the number of endpoints stored */
    result: {
      run_id: string
      run_label: string
      endpoints: number
    }
  }
  /** Judge the latest run of every endpoint against its history. */
  AT_detect_latency_anomalies: {
    params: {
      /** SQLite file. */
      db_path: string
      /** Metric, window and thresholds. */
      policy: ({
        metric?: ("mean_ms" | "p50_ms" | "p95_ms" | "max_ms")
        window?: number
        min_history?: number
        threshold?: number
        min_increase?: number
        min_delta_ms?: number
      } | null)
    }
    /** one verdict per endpoint of the latest run, sorted by endpoint */
    result: ReadonlyArray<{
      endpoint: string
      metric: ("mean_ms" | "p50_ms" | "p95_ms" | "max_ms")
      latest: number
      baseline_median: (number | null)
      robust_z: (number | null)
      history: number
      status: ("anomaly" | "ok" | "insufficient_history")
    }>
  }
  /** Fail when the latest run of any endpoint is unusually slow. */
  AT_assert_no_latency_anomalies: {
    params: {
      /** SQLite file. */
      db_path: string
      /** Metric, window and thresholds. */
      policy: ({
        metric?: ("mean_ms" | "p50_ms" | "p95_ms" | "max_ms")
        window?: number
        min_history?: number
        threshold?: number
        min_increase?: number
        min_delta_ms?: number
      } | null)
      /** Metric to judge; wins over the one in policy. */
      metric?: ("mean_ms" | "p50_ms" | "p95_ms" | "max_ms")
      /** Limit of the robust score; wins over the one in policy. */
      threshold?: number
    }
    /** the verdicts, when none is an anomaly */
    result: ReadonlyArray<{
      endpoint: string
      metric: ("mean_ms" | "p50_ms" | "p95_ms" | "max_ms")
      latest: number
      baseline_median: (number | null)
      robust_z: (number | null)
      history: number
      status: ("anomaly" | "ok" | "insufficient_history")
    }>
  }
  /** Write an HTML table of latency trends with a small chart per endpoint. */
  AT_generate_trend_report: {
    params: {
      /** HTML file to write. */
      output_path: string
      /** SQLite file. */
      db_path: string
      /** Metric, window and thresholds. */
      policy: ({
        metric?: ("mean_ms" | "p50_ms" | "p95_ms" | "max_ms")
        window?: number
        min_history?: number
        threshold?: number
        min_increase?: number
        min_delta_ms?: number
      } | null)
      /** Runs shown in each chart. */
      limit_runs: number
    }
    /** Path of the file that was written. */
    result: string
  }
}
