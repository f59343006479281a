// Generated from stdlib/browser/operations/loadgen/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Describe a virtual user for a load run. */
  WR_loadgen_build_user_class: {
    params: {
      /** Requests to choose from. */
      actions: ReadonlyArray<{
        name?: string
        method?: string
        path?: string
        weight?: number
        json_body?: unknown
        headers?: {
          [k: string]: string
        }
        params?: {
          [k: string]: unknown
        }
      }>
      /** Shortest pause between requests, seconds. */
      wait_min: number
      /** Longest pause between requests, seconds. */
      wait_max: number
    }
    /** The description with its defaults filled. */
    result: {
      wait_min: number
      wait_max: number
      tasks: ReadonlyArray<{
        [k: string]: unknown
      }>
    }
  }
  /** Put HTTP load on a host and yield the statistics. */
  WR_loadgen_run: {
    params: {
      /** Base address of the target. */
      host: string
      /** Requests to choose from. */
      actions: ReadonlyArray<{
        name?: string
        method?: string
        path?: string
        weight?: number
        json_body?: unknown
        headers?: {
          [k: string]: string
        }
        params?: {
          [k: string]: unknown
        }
      }>
      /** Number of virtual users. */
      num_users: number
      /** Users started per second. */
      spawn_rate: number
      /** Length of the run in seconds. */
      run_seconds: number
      /** Shortest pause between requests, seconds. */
      wait_min: number
      /** Longest pause between requests, seconds. */
      wait_max: number
      /** Hosts, with a port where it is not the usual one, that may get load; null allows any. */
      allowed_hosts: (ReadonlyArray<string> | null)
    }
    /** Totals, and one entry per request name. Times in milliseconds. */
    result: {
      total: {
        num_requests: number
        num_failures: number
        median_response_time: number
        avg_response_time: number
        p95_response_time: number
        p99_response_time: number
      }
      per_endpoint: ReadonlyArray<{
        name: string
        method: string
        num_requests: number
        num_failures: number
        median_response_time: number
        avg_response_time: number
        p95_response_time: number
        p99_response_time: number
        current_rps: number
      }>
    }
  }
}
