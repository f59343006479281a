// Generated from stdlib/files/copies/crossbackend/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Copy one file from any backend to any other. */
  FA_copy_between: {
    params: {
      /** Address or local path to read. */
      source: string
      /** Address or local path to write. */
      target: string
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** The most bytes to move in a second; null: as fast as it goes. */
      bytes_per_second: (number | null)
      /** Keep what has come when a transfer breaks off and go on there next time. */
      resume: boolean
    }
    /** true on success */
    result: true
  }
}
