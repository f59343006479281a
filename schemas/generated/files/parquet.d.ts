// Generated from stdlib/files/formats/parquet/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Load the rows of a Parquet file as objects. */
  FA_parquet_read: {
    params: {
      /** Parquet file. */
      path: string
      /** Largest number of rows to return. */
      limit: (number | null)
      /** Columns to keep. */
      columns: (ReadonlyArray<string> | null)
      /** Rows to leave out at the beginning. */
      offset: number
    }
    /** rows as objects */
    result: ReadonlyArray<{
      [k: string]: unknown
    }>
  }
  /** Write a list of objects as a Parquet file. */
  FA_parquet_write: {
    params: {
      /** Parquet file to write. */
      path: string
      /** Rows. */
      records: ReadonlyArray<{
        [k: string]: unknown
      }>
      /** Types of columns by name; taken from the values where left out. */
      types: {
        [k: string]: string
      }
      /** Compression of the pages. */
      compression: ("none" | "snappy" | "gzip" | "zstd" | "brotli")
    }
    /** number of rows written */
    result: number
  }
  /** Convert a CSV file to Parquet. */
  FA_csv_to_parquet: {
    params: {
      /** Input CSV with a header row. */
      csv_path: string
      /** Output Parquet file. */
      parquet_path: string
      /** Column separator, one character. */
      delimiter: string
      /** Text encoding. */
      encoding: string
      /** Compression of the pages. */
      compression: ("none" | "snappy" | "gzip" | "zstd" | "brotli")
    }
    /** number of rows written */
    result: number
  }
}
