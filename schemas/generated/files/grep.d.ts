// Generated from stdlib/files/local/grep/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Search the text of files below a folder. */
  FA_grep: {
    params: {
      /** Folder to search. */
      root: string
      /** Text or regular expression. */
      pattern: string
      /** Only files whose base name matches this shell glob. */
      glob: (string | null)
      /** Treat the pattern as a regular expression. */
      regex: boolean
      /** Ignore letter case. */
      ignore_case: boolean
      /** Stop after so many hits. */
      max_matches: number
      /** Cut reported lines at this many characters. */
      max_line_len: number
    }
    /** hits in file order */
    result: ReadonlyArray<{
      path: string
      line: number
      text: string
      stopped?: true
    }>
  }
}
