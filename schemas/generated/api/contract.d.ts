// Generated from stdlib/api/interfaces/contract/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Write a consumer contract from the recorded requests. */
  AT_write_contract: {
    params: {
      /** Contract file to write; missing folders are made. */
      output_path: string
      /** Name of the consumer. */
      consumer: string
      /** Name of the provider. */
      provider: string
      /** Saved success reports to read as well. */
      report_paths: (ReadonlyArray<string> | null)
      /** Prefix to cut from request paths. */
      base_path: string
      /** Compare response bodies by type or by value. */
      body_rule: ("type" | "equality")
      /** Regular expression; only requests whose `VERB /path` it fits are kept. */
      filter: (string | null)
    }
    /** Path of the file that was written. */
    result: string
  }
  /** Replay a contract against a running provider. */
  AT_verify_contract: {
    params: {
      /** Contract file. */
      contract_path: string
      /** Base URL of the provider. */
      base_url: string
      /** URL that sets up provider states. */
      provider_states_url: (string | null)
      /** Time limit per request in seconds. */
      timeout: number
      /** Function that sets up a provider state. */
      state_handler: (string | null)
    }
    /** what was compared; an interaction that does not hold fails the step, unless its `expect` decides */
    result: {
      ok: boolean
      consumer: string
      provider: string
      interactions: ReadonlyArray<{
        description: string
        ok: boolean
        mismatches: ReadonlyArray<string>
      }>
      broken: number
      total: number
      report: string
    }
  }
  /** Check a contract against the provider's OpenAPI document. */
  AT_check_contract_against_openapi: {
    params: {
      /** Contract file. */
      contract_path: string
      /** OpenAPI document, JSON or YAML. */
      openapi_path: string
    }
    /** what was compared; a problem fails the step, unless its `expect` decides */
    result: {
      ok: boolean
      consumer: string
      provider: string
      checked: number
      problems: ReadonlyArray<{
        interaction: string
        problem: string
      }>
      unfit: number
      report: string
    }
  }
}
