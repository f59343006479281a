// Generated from stdlib/api/tools/ai/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Choose the AI backend used by the AI commands. */
  AT_select_ai_backend: {
    params: {
      /** noop never contacts anything; provider asks a language model. */
      name: ("noop" | "provider")
      /** Model name for the provider backend. */
      model: (string | null)
      /** Effort for the provider backend. */
      effort: ("low" | "medium" | "high" | "xhigh" | "max" | null)
    }
    /** class name of the chosen backend */
    result: string
  }
  /** Count failures by kind. */
  AT_classify_failures: {
    params: {
      /** Failure pairs: call options, then error text. */
      error_records: ReadonlyArray<ReadonlyArray<unknown>>
    }
    /** number per kind; kinds without failures are absent */
    result: {
      network?: number
      auth?: number
      validation?: number
      server?: number
      other?: number
    }
  }
  /** Make a value that satisfies a JSON Schema. */
  AT_generate_fake_payload: {
    params: {
      /** JSON Schema. */
      schema: ({
        [k: string]: unknown
      } | boolean)
    }
    /** a value for the schema */
    result: unknown
  }
  /** Make test actions for every operation of an OpenAPI document. */
  AT_generate_tests_from_openapi: {
    params: {
      /** OpenAPI document. */
      spec: {
        paths: {
          [k: string]: unknown
        }
      }
    }
    /** actions ready to run */
    result: ReadonlyArray<ReadonlyArray<(string | ({
      [k: string]: unknown
    } | ReadonlyArray<unknown>))>>
  }
}
