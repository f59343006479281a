// Generated from stdlib/api/core/diff/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Compare two JSON values piece by piece. */
  AT_diff_payloads: {
    params: {
      /** First value. */
      left: unknown
      /** Second value. */
      right: unknown
      /** Paths to leave out, such as data.items[0].time. */
      ignore_paths: ReadonlyArray<string>
    }
    /** added, removed and changed paths; changed holds left and right value */
    result: {
      added: {
        [k: string]: unknown
      }
      removed: {
        [k: string]: unknown
      }
      changed: {
        [k: string]: ReadonlyArray<unknown>
      }
    }
  }
  /** Compare two OpenAPI documents. */
  AT_diff_openapi_specs: {
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
    /** paths and operations that came or went, and response changes per operation */
    result: {
      added_paths: ReadonlyArray<string>
      removed_paths: ReadonlyArray<string>
      added_operations: ReadonlyArray<string>
      removed_operations: ReadonlyArray<string>
      schema_changes: {
        [k: string]: {
          added: {
            [k: string]: unknown
          }
          removed: {
            [k: string]: unknown
          }
          changed: {
            [k: string]: ReadonlyArray<unknown>
          }
        }
      }
      /** Every difference as callers feel it. */
      changes: ReadonlyArray<{
        operation: string
        kind: ("added" | "removed" | "changed")
        /** Place in the operation; empty: the operation itself. */
        place: string
        what: string
        /** A caller that was right before can be wrong now. */
        breaking: boolean
      }>
      /** The breaking ones of `changes`, a line for each. */
      breaking: ReadonlyArray<string>
    }
  }
}
