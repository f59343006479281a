// Generated from stdlib/browser/authoring/lint/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Point out questionable spots in an action list. */
  WR_lint_action: {
    params: {
      /** Actions or action file content. */
      data: unknown
    }
    /** findings */
    result: ReadonlyArray<{
      rule: ("legacy_name" | "arbitrary_script" | "hardcoded_url" | "empty_kwargs" | "duplicate_consecutive" | "missing_tags")
      severity: ("warning" | "info")
      message: string
      location: string
    }>
  }
  /** Point out questionable spots in an action file. */
  WR_lint_action_file: {
    params: {
      /** JSON action file. */
      path: string
    }
    /** findings */
    result: ReadonlyArray<{
      rule: ("legacy_name" | "arbitrary_script" | "hardcoded_url" | "empty_kwargs" | "duplicate_consecutive" | "missing_tags")
      severity: ("warning" | "info")
      message: string
      location: string
    }>
  }
  /** Count findings per severity. */
  WR_lint_severity_counts: {
    params: {
      /** Findings. */
      findings: ReadonlyArray<{
        severity?: string
        [k: string]: unknown
      }>
    }
    /** severity to number */
    result: {
      warning: number
      info: number
      [k: string]: number
    }
  }
}
