// Generated from stdlib/api/interfaces/spec/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Infer a JSON Schema from one sample value. */
  AT_infer_schema: {
    params: {
      /** Sample value. */
      sample: unknown
    }
    /** JSON Schema */
    result: {
      [k: string]: unknown
    }
  }
  /** Build an OpenAPI document from records. */
  AT_records_to_openapi: {
    params: {
      /** Records; those of the current run when left out. */
      records: (ReadonlyArray<{
        [k: string]: unknown
      }> | null)
      /** Title of the document. */
      title: string
      /** Version in the info part. */
      version: string
    }
    /** OpenAPI 3.1.0 document */
    result: {
      openapi: "3.1.0"
      info: {
        title: string
        version: string
      }
      paths: {
        [k: string]: unknown
      }
    }
  }
  /** Write an OpenAPI document from records or saved reports. */
  AT_export_openapi: {
    params: {
      /** File to write. */
      output_path: string
      /** Saved success reports to read as well. */
      report_paths: (ReadonlyArray<string> | null)
      /** Title of the document. */
      title: string
      /** Version in the info part. */
      version: string
    }
    /** Path of the file that was written. */
    result: string
  }
  /** Write a Markdown changelog between two OpenAPI documents. */
  AT_openapi_changelog: {
    params: {
      /** Earlier document. */
      left: {
        paths: {
          [k: string]: unknown
        }
      }
      /** Later document. */
      right: {
        paths: {
          [k: string]: unknown
        }
      }
    }
    /** Markdown text */
    result: string
  }
  /** Say what the requests of this file exercised of an OpenAPI document, and which answers it forbids. */
  AT_check_openapi_coverage: {
    params: {
      /** OpenAPI document, JSON or YAML. */
      spec_path: string
      /** Smallest share of operations, or of each kind. */
      min_coverage: (null | number | {
        [k: string]: number
      })
      /** Path for the report as JSON. */
      output_path: (string | null)
    }
    /** a failure fails the step, unless its `expect` decides */
    result: {
      ok: boolean
      requests: number
      operations: {
        used: number
        all: number
        share: number
      }
      statuses: {
        used: number
        all: number
        share: number
      }
      parameters: {
        used: number
        all: number
        share: number
      }
      media_types: {
        used: number
        all: number
        share: number
      }
      details: ReadonlyArray<{
        [k: string]: unknown
      }>
      unknown: ReadonlyArray<string>
      problems: ReadonlyArray<{
        [k: string]: unknown
      }>
      failures: ReadonlyArray<string>
      first: string
      report: string
    }
  }
  /** Check a committed OpenAPI document against the recorded requests. */
  AT_check_spec_against_tests: {
    params: {
      /** OpenAPI document, JSON or YAML. */
      spec_path: string
      /** Saved success reports to read as well. */
      report_paths: (ReadonlyArray<string> | null)
      /** Smallest share of operations that must have been used. */
      min_coverage: number
      /** Path for actions of unused operations. */
      missing_actions_path: (string | null)
      /** Path for the document that the tests describe. */
      inferred_spec_path: (string | null)
    }
    /** what was compared; a failure fails the step, unless its `expect` decides */
    result: {
      ok: boolean
      coverage: number
      covered: ReadonlyArray<string>
      uncovered: ReadonlyArray<string>
      undocumented: ReadonlyArray<string>
      problems: ReadonlyArray<{
        request: string
        problem: string
      }>
      failures: ReadonlyArray<string>
      first: string
      report: string
    }
  }
}
