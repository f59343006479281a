// Generated from stdlib/browser/core/dataset/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
export interface Commands {
  /** Replace ${ROW.column} placeholders with values of one row. */
  WR_expand_with_row: {
    params: {
      /** Value to walk. */
      data: unknown
      /** Column name to value. */
      row: {
        [k: string]: unknown
      }
    }
    /** The same shape with placeholders replaced. */
    result: unknown
  }
  /** Read a CSV file into rows keyed by its header line. */
  WR_load_dataset_csv: {
    params: {
      /** CSV file. */
      path: string
      /** Text encoding of the file. */
      encoding: string
    }
    /** One object for each line of data; all values are text. */
    result: ReadonlyArray<{
      [k: string]: string
    }>
  }
  /** Read a JSON file that holds a list of rows. */
  WR_load_dataset_json: {
    params: {
      /** JSON file. */
      path: string
      /** Text encoding of the file. */
      encoding: string
    }
    /** The rows as they are stored. */
    result: ReadonlyArray<{
      [k: string]: unknown
    }>
  }
  /** Run the same actions once per dataset row. */
  WR_run_with_dataset: {
    params: {
      /** Actions that may contain ${ROW.column} placeholders. */
      action_data: Block
      /** Rows, for example from a load command. */
      rows: ReadonlyArray<{
        [k: string]: unknown
      }>
      /** true brings sessions back before each further row: pages, cookies, storage. */
      fresh_state: boolean
    }
    /** One entry per row, same order. */
    result: ReadonlyArray<{
      row: number
      failed: number
      steps: ReadonlyArray<{
        index: number
        id: string
        command: string
        status: ("ok" | "failed" | "skipped" | "dry_run")
        result?: unknown
        error?: {
          name: string
          message: string
        }
        reason?: string
        /** Absent where it was skipped. */
        duration_ms?: number
      }>
    }>
  }
}
