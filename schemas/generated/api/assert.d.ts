// Generated from stdlib/api/core/assert/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Fail when response times are above the agreed limits. */
  AT_assert_sla: {
    params: {
      /** Records to judge; the requests of this file so far when left out. */
      records: (ReadonlyArray<{
        [k: string]: unknown
      }> | null)
      /** Limits in milliseconds for the slowest and the 95th percentile. */
      sla: {
        max_ms?: number
        p95_ms?: number
      } | null
    }
    result: null | undefined | void
  }
  /** Fail when a value does not satisfy a JSON Schema. */
  AT_check_json_schema: {
    params: {
      /** Value to check. */
      payload: unknown
      /** JSON Schema document. */
      schema: ({
        [k: string]: unknown
      } | boolean)
    }
    result: null | undefined | void
  }
  /** Find values by a JSONPath expression and check them. */
  AT_check_jsonpath: {
    params: {
      /** Value to search. */
      payload: unknown
      /** JSONPath expression, such as $.data[*].id. */
      expression: string
      /** Value every match must equal; null is a value too. */
      expected?: unknown
      /** Values of which every match must be one. */
      expected_in: (ReadonlyArray<unknown> | null)
      /** Number of matches that there must be; 0 for none. At least one when left out. */
      expected_count: (number | null)
    }
    /** The matched values. */
    result: ReadonlyArray<unknown>
  }
  /** Compare a value with its stored snapshot file. */
  AT_assert_snapshot: {
    params: {
      /** Snapshot name, also the file name. */
      name: string
      /** Value to compare. */
      payload: unknown
      /** Directory; __snapshots__ when left out. */
      snapshot_dir: (string | null)
      /** Object keys to drop at every depth. */
      ignore_keys: (ReadonlyArray<string> | null)
      /** Overwrite the snapshot. */
      update: boolean
      /** JSONPaths of values whose type alone counts. */
      masks: (ReadonlyArray<string> | null)
    }
    result: null | undefined | void
  }
}
