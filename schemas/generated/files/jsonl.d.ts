// Generated from stdlib/files/formats/jsonl/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Read the records of a JSON Lines file. */
  FA_jsonl_iter: {
    params: {
      /** JSON Lines file. */
      path: string
      /** Largest number of records to return. */
      limit: (number | null)
      /** Text encoding. */
      encoding: string
    }
    /** the records in file order */
    result: ReadonlyArray<{
      [k: string]: unknown
    }>
  }
  /** Append one object as a new line. */
  FA_jsonl_append: {
    params: {
      /** JSON Lines file, created when missing. */
      path: string
      /** Object to append. */
      record: {
        [k: string]: unknown
      }
      /** Text encoding. */
      encoding: string
    }
    /** true */
    result: true
  }
}
