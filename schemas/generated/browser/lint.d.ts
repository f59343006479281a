// Generated from stdlib/browser/authoring/lint/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Point out mistakes and questionable spots in a list of actions. */
  WR_lint_action: {
    params: {
      /** Actions or the content of an action file. */
      data: unknown
    }
    /** Findings in the order of their places. */
    result: ReadonlyArray<{
      /** Name of the rule, such as no-hard-wait or unknown-command. */
      rule: string
      /** Its code, for `svc explain`. */
      code: string
      severity: ("error" | "warning" | "info" | "hint")
      message: string
      /** The way there in a value, such as `[3][1].url`; file, line and column in a file. */
      location: string
    }>
  }
  /** Point out mistakes and questionable spots in an action file. */
  WR_lint_action_file: {
    params: {
      /** Action file, JSON or YAML. */
      path: string
    }
    /** Findings in the order of their places. */
    result: ReadonlyArray<{
      /** Name of the rule, such as no-hard-wait or unknown-command. */
      rule: string
      /** Its code, for `svc explain`. */
      code: string
      severity: ("error" | "warning" | "info" | "hint")
      message: string
      /** The way there in a value, such as `[3][1].url`; file, line and column in a file. */
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
    /** Number of findings by severity. */
    result: {
      warning: number
      info: number
      [k: string]: number
    }
  }
}
