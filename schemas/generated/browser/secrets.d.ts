// Generated from stdlib/browser/checks/secrets/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
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
    /** Findings in the order of the value. */
    result: ReadonlyArray<{
      path: string
      /** Rule that found it, such as aws_access_key, github_token, jwt, private_key, password_literal, suspicious_key_high_entropy. */
      rule: string
      /** The first four characters of a long secret, and its length. */
      preview: string
    }>
  }
  /** Scan an action file for hard-coded secrets. */
  WR_scan_secrets_file: {
    params: {
      /** Action file in JSON or YAML, or any other text. */
      path: string
    }
    /** Findings in the order of the file. */
    result: ReadonlyArray<{
      path: string
      /** Rule that found it, such as aws_access_key, github_token, jwt, private_key, password_literal, suspicious_key_high_entropy. */
      rule: string
      /** The first four characters of a long secret, and its length. */
      preview: string
      line: number
      column: number
    }>
  }
}
