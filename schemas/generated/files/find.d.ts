// Generated from stdlib/files/local/find/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Find files by name pattern, with the index of the operating system when there is one. */
  FA_fast_find: {
    params: {
      /** Folder to search; a leading tilde means the home folder. */
      root: string
      /** Shell glob matched against the base name. */
      pattern: string
      /** Largest number of results. */
      limit: (number | null)
      /** Allow the operating-system index. */
      use_index: boolean
      /** Leave folders out. */
      files_only: boolean
    }
    /** absolute paths */
    result: ReadonlyArray<string>
  }
}
