// Generated from stdlib/files/copies/crossbackend/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Copy one file from any backend to any other. */
  FA_copy_between: {
    params: {
      /** Address or local path to read. */
      source: string
      /** Address or local path to write. */
      target: string
    }
    /** true on success */
    result: boolean
  }
}
