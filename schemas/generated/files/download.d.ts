// Generated from stdlib/files/remote/download/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Download a file over http(s) with address check, retry, resume and checksum. */
  FA_download_file: {
    params: {
      /** Address to fetch. */
      url: string
      /** Local file to write. */
      target: string
      /** Read size in bytes. */
      chunk_size: number
      /** Connect and per-read time limit in seconds. */
      timeout: number
      /** Largest accepted size in bytes. */
      max_bytes: number
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** Keep a partial file and continue it next time. */
      resume: boolean
      /** Hex digest the finished file must have. */
      expected_sha256: (string | null)
    }
    /** true when the file is complete and verified */
    result: boolean
  }
}
