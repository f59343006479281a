// Generated from stdlib/browser/checks/har-diff/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
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
    /** Added, removed and changed requests. */
    result: {
      /** Only in the right archive. */
      added: ReadonlyArray<{
        method: string
        url: string
        status: number
      }>
      /** Only in the left archive. */
      removed: ReadonlyArray<{
        method: string
        url: string
        status: number
      }>
      /** In both, with different status. */
      changed: ReadonlyArray<{
        method: string
        url: string
        left_status: number
        right_status: number
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
    /** Added, removed and changed requests. */
    result: {
      /** Only in the right archive. */
      added: ReadonlyArray<{
        method: string
        url: string
        status: number
      }>
      /** Only in the left archive. */
      removed: ReadonlyArray<{
        method: string
        url: string
        status: number
      }>
      /** In both, with different status. */
      changed: ReadonlyArray<{
        method: string
        url: string
        left_status: number
        right_status: number
      }>
    }
  }
}
