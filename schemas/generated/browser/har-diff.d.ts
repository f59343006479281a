// Generated from stdlib/browser/checks/har-diff/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Compare two network archives. */
  WR_diff_har: {
    params: {
      /** Archive as object or JSON text. */
      left: ({
        [k: string]: unknown
      } | string)
      /** Archive as object or JSON text. */
      right: ({
        [k: string]: unknown
      } | string)
    }
    /** added, removed and changed requests */
    result: {
      added: ReadonlyArray<{
        [k: string]: unknown
      }>
      removed: ReadonlyArray<{
        [k: string]: unknown
      }>
      changed: ReadonlyArray<{
        [k: string]: unknown
      }>
    }
  }
  /** Compare two network archive files. */
  WR_diff_har_files: {
    params: {
      /** First archive. */
      left_path: string
      /** Second archive. */
      right_path: string
    }
    /** added, removed and changed requests */
    result: {
      added: ReadonlyArray<{
        [k: string]: unknown
      }>
      removed: ReadonlyArray<{
        [k: string]: unknown
      }>
      changed: ReadonlyArray<{
        [k: string]: unknown
      }>
    }
  }
}
