// Generated from stdlib/browser/checks/secrets/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Fail when a value contains something that looks like a secret. */
  WR_assert_no_secrets: {
    params: {
      /** Actions or any JSON value. */
      data: unknown
    }
    result: null | undefined | void
  }
  /** List places in a value that look like hard-coded secrets. */
  WR_scan_secrets: {
    params: {
      /** Actions or any JSON value. */
      data: unknown
    }
    /** findings in walking order */
    result: ReadonlyArray<{
      path: string
      rule: string
      preview: string
    }>
  }
  /** Scan an action file for hard-coded secrets. */
  WR_scan_secrets_file: {
    params: {
      /** JSON action file. */
      path: string
    }
    /** findings in walking order */
    result: ReadonlyArray<{
      path: string
      rule: string
      preview: string
    }>
  }
}
