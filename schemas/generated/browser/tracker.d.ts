// Generated from stdlib/browser/integrations/tracker/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Create an issue in the issue tracker. */
  WR_tracker_create_issue: {
    params: {
      /** Address of the server; trailing slashes are removed. */
      base_url: string
      /** Account e-mail. */
      email: string
      /** Account token. */
      api_token: string
      /** Project key. */
      project_key: string
      /** Title. */
      summary: string
      /** Body text. */
      description: string
      /** Issue type name. */
      issue_type: string
      /** Fields merged over the built ones. */
      extra_fields: {
        [k: string]: unknown
      } | null
      /** Limit in seconds. */
      timeout: number
    }
    /** Answer of the server: id, key and self of the issue. */
    result: {
      [k: string]: unknown
    }
  }
  /** Create one issue per failed step. */
  WR_tracker_create_failure_issues: {
    params: {
      /** Address of the server; trailing slashes are removed. */
      base_url: string
      /** Account e-mail. */
      email: string
      /** Account token. */
      api_token: string
      /** Project key. */
      project_key: string
      /** Issue type name. */
      issue_type: string
      /** Link to the build. */
      build_url: (string | null)
      /** Most issues that one step files, so that one fault behind all failures does not flood the tracker. */
      max_issues: number
    }
    /** One entry per failed step, in their order. */
    result: ReadonlyArray<{
      title: string
      outcome: ("created" | "existing" | "left_out" | "failed")
      id?: string
      key?: string
      self?: string
      error?: string
    }>
  }
}
