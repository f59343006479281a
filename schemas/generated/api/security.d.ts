// Generated from stdlib/api/checks/security/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Check response headers for missing or weak protection. */
  AT_scan_security_headers: {
    params: {
      /** Response headers. */
      headers: {
        [k: string]: string
      }
      /** Address that the headers came from; over http no Strict-Transport-Security is asked for. */
      url: (string | null)
    }
    /** findings with header, severity and message */
    result: ReadonlyArray<{
      header: string
      severity: ("high" | "medium" | "low")
      message: string
    }>
  }
  /** Send a CORS preflight request and judge the answer. */
  AT_cors_preflight: {
    params: {
      /** URL to ask. */
      url: string
      /** Origin to claim. */
      origin: string
      /** Verb to ask for. */
      method: string
      /** Time limit in seconds. */
      timeout: number
      /** Older programs gave a network client here; in tests a mock of the file answers. */
      transport: null
    }
    /** findings with header, severity and message */
    result: ReadonlyArray<{
      header: string
      severity: ("high" | "medium" | "low")
      message: string
    }>
  }
  /** Send a short burst of requests until the server limits the rate. */
  AT_probe_rate_limit: {
    params: {
      /** URL to ask. */
      url: string
      /** HTTP verb. */
      method: string
      /** Largest number of requests. */
      burst: number
      /** Time limit per request in seconds. */
      timeout: number
      /** Older programs gave a network client here; in tests a mock of the file answers. */
      transport: null
    }
    /** whether status 429 came, at which request, and Retry-After */
    result: {
      triggered: boolean
      triggered_at_attempt: (number | null)
      retry_after: (string | null)
      attempts: number
      /** Error that ended the probe, when a connection failed. */
      error: (string | null)
    }
  }
  /** Offer suspicious addresses to an endpoint and list the ones it accepts. */
  AT_probe_ssrf: {
    params: {
      /** Endpoint under test. */
      target: string
      /** Body field that takes an address. */
      parameter: string
      /** HTTP verb. */
      method: string
      /** Time limit per request in seconds. */
      timeout: number
      /** Older programs gave a network client here; in tests a mock of the file answers. */
      transport: null
      /** Addresses to try; the built-in list when left out or empty. */
      probes: (ReadonlyArray<string> | null)
    }
    /** addresses that were answered with a status below 400 */
    result: ReadonlyArray<{
      probe: string
      status: number
      /** Sentence on what was seen and what mends it. */
      message: string
      /** Address that the answer led to. */
      redirect?: string
      /** A part of the answer that holds what only the address could have told. */
      evidence?: string
    }>
  }
  /** List awkward texts for boundary and injection tests. */
  AT_fuzz_string_inputs: {
    params: {
      /** Largest number of texts; below 0 counts as 0. */
      limit: number
    }
    /** texts in a fixed order */
    result: ReadonlyArray<string>
  }
  /** Check the project's dependencies for known weaknesses. */
  AT_run_dependency_audit: {
    params: {
      /** Lock file of npm; the one in the working directory when left out. */
      lock_file: (string | null)
      /** Advisories in the Open Source Vulnerability format; without it `npm audit` is asked, which needs the gate `shell`. */
      advisory_file: (string | null)
      /** Lowest severity that fails the step; none when left out. */
      fail_on: ("low" | "moderate" | "high" | "critical" | null)
    }
    /** dependencies with their known weaknesses */
    result: ReadonlyArray<{
      name: string
      version: string
      vulns: ReadonlyArray<{
        id: string
        title: string
        /** Null: nobody says. */
        severity: ("low" | "moderate" | "high" | "critical" | null)
        url?: string
      }>
    }>
  }
}
