// Generated from stdlib/files/copies/duplicates/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Find groups of files with the same content. */
  FA_find_duplicates: {
    params: {
      /** Folder to search. */
      root: string
      /** Smallest size considered, in bytes. */
      min_size: number
      /** Length compared in the second stage. */
      sample_bytes: number
      /** Digest name. */
      algorithm: string
    }
    /** groups of absolute paths, largest files first */
    result: ReadonlyArray<ReadonlyArray<string>>
  }
}
