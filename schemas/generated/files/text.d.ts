// Generated from stdlib/files/local/text/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Cut a file into numbered parts. */
  FA_file_split: {
    params: {
      /** File to cut. */
      file_path: string
      /** Largest part size in bytes. */
      chunk_size: number
      /** Folder for the parts; next to the file when left out. */
      output_dir: (string | null)
    }
    /** part paths in order */
    result: ReadonlyArray<string>
  }
  /** Join files end to end in the given order. */
  FA_file_merge: {
    params: {
      /** Files to join. */
      parts: ReadonlyArray<string>
      /** File to write. */
      target_path: string
    }
    /** true */
    result: true
  }
  /** Rewrite a text file in another encoding. */
  FA_encoding_convert: {
    params: {
      /** File to read. */
      file_path: string
      /** File to write; may equal the input. */
      target_path: string
      /** Encoding of the input. */
      source_encoding: string
      /** Encoding of the output. */
      target_encoding: string
      /** Treatment of text that cannot be converted. */
      errors: ("strict" | "replace" | "ignore")
    }
    /** true */
    result: true
  }
  /** Count the lines of a text file. */
  FA_line_count: {
    params: {
      /** File to count. */
      file_path: string
      /** Text encoding. */
      encoding: string
    }
    /** number of lines */
    result: number
  }
  /** Replace text inside a file. */
  FA_sed_replace: {
    params: {
      /** File to change in place. */
      file_path: string
      /** Text or regular expression to find. */
      pattern: string
      /** Replacement text. */
      replacement: string
      /** Treat the pattern as a regular expression. */
      regex: boolean
      /** Largest number of replacements; 0 means all. */
      count: number
      /** Text encoding. */
      encoding: string
    }
    /** number of replacements made */
    result: number
  }
}
