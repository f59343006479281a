// Generated from stdlib/browser/integrations/caseman/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Send case results into a run of the case manager. */
  WR_caseman_send_results: {
    params: {
      /** Address of the server; trailing slashes are removed. */
      base_url: string
      /** Account name. */
      username: string
      /** Account key. */
      api_key: string
      /** Run id. */
      run_id: number
      /** Results. */
      results: ReadonlyArray<{
        case_id: number
        status_id: number
        comment?: string
        [k: string]: unknown
      }>
      /** Limit in seconds. */
      timeout: number
    }
    /** Answer of the server, or the results as they stand in the run. */
    result: ({
      [k: string]: unknown
    } | ReadonlyArray<{
      [k: string]: unknown
    }>)
  }
  /** Turn pass and fail flags into case-manager results. */
  WR_caseman_results_from_pairs: {
    params: {
      /** Entries with case_id, passed and an optional comment. */
      pairs: ReadonlyArray<{
        case_id?: (number | string | null)
        passed?: boolean
        [k: string]: unknown
      }>
      /** Field that holds the comment. */
      comment_field: string
    }
    /** Results to send. */
    result: ReadonlyArray<{
      case_id: number
      status_id: (1 | 5)
      comment?: string
    }>
  }
  /** Close a run of the case manager. */
  WR_caseman_close_run: {
    params: {
      /** Address of the server; trailing slashes are removed. */
      base_url: string
      /** Account name. */
      username: string
      /** Account key. */
      api_key: string
      /** Run id. */
      run_id: number
      /** Limit in seconds. */
      timeout: number
    }
    /** Answer of the server: the run. */
    result: {
      [k: string]: unknown
    }
  }
}
