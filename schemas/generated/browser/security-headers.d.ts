// Generated from stdlib/browser/checks/security-headers/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Check response headers against a table of security rules. */
  WR_audit_security_headers: {
    params: {
      /** Header name to value. */
      headers: {
        [k: string]: string
      }
      /** Own rule table; replaces the default. */
      required: (ReadonlyArray<{
        name: string
        rule: ("presence" | "presence_and_max_age" | "deny_or_sameorigin" | "nosniff" | "policy" | "referrer_policy" | "no_star" | "absent")
      }> | null)
    }
    /** Rules that do not hold; empty where all do. */
    result: ReadonlyArray<{
      header: string
      rule: string
      problem: string
      value: (string | null)
    }>
  }
  /** Fetch an address and check its response headers. */
  WR_audit_security_headers_url: {
    params: {
      /** Address to fetch with GET. */
      url: string
      /** Limit in seconds. */
      timeout: number
      /** Own rule table; replaces the default. */
      required: (ReadonlyArray<{
        name: string
        rule: ("presence" | "presence_and_max_age" | "deny_or_sameorigin" | "nosniff" | "policy" | "referrer_policy" | "no_star" | "absent")
      }> | null)
    }
    /** Rules that do not hold; empty where all do. */
    result: ReadonlyArray<{
      header: string
      rule: string
      problem: string
      value: (string | null)
    }>
  }
}
