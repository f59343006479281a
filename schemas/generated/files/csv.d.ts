// Generated from stdlib/files/formats/csv/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Copy a CSV file while keeping some columns and rows. */
  FA_csv_filter: {
    params: {
      /** Input CSV with a header row. */
      src: string
      /** Output CSV. */
      target: string
      /** Columns to keep, in this order; all when left out. */
      columns: (ReadonlyArray<string> | null)
      /** Column tested per row. */
      where_column: (string | null)
      /** Text the tested column must equal. */
      where_equals: (string | null)
      /** Column separator, one character. */
      delimiter: string
      /** Text encoding. */
      encoding: string
    }
    /** number of data rows written */
    result: number
  }
  /** Turn each CSV row into one JSON object per line. */
  FA_csv_to_jsonl: {
    params: {
      /** Input CSV with a header row. */
      src: string
      /** Output JSON Lines file. */
      target: string
      /** Column separator, one character. */
      delimiter: string
      /** Text encoding. */
      encoding: string
    }
    /** number of records written */
    result: number
  }
  /** Read CSV rows as objects. */
  FA_csv_read: {
    params: {
      /** CSV file with a header row. */
      path: string
      /** Largest number of rows to read. */
      limit: (number | null)
      /** Column separator, one character. */
      delimiter: string
      /** Text encoding. */
      encoding: string
    }
    /** one object per row, all values text, null where a cell is missing */
    result: ReadonlyArray<{
      [k: string]: string | null
    }>
  }
  /** Write a list of objects as a CSV file. */
  FA_csv_write: {
    params: {
      /** CSV file to write. */
      path: string
      /** Rows. */
      records: ReadonlyArray<{
        [k: string]: unknown
      }>
      /** Column order; union of keys in first-seen order when left out. */
      columns: (ReadonlyArray<string> | null)
      /** Column separator, one character. */
      delimiter: string
      /** Text encoding. */
      encoding: string
      /** Put an apostrophe before text that a spreadsheet would take for a formula. */
      guard_formulas: boolean
    }
    /** number of rows written */
    result: number
  }
}
