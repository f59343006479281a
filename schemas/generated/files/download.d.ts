// Generated from stdlib/files/remote/download/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Download a file over http(s) with address check, retry, resume and checksum. */
  FA_download_file: {
    params: {
      /** Address to fetch. */
      url: string
      /** Local file to write. */
      target: string
      /** Bytes that are gathered before they are written, 1 MiB at most. */
      chunk_size: number
      /** Seconds to wait: for a connection, for the answer, and for each further piece of it. */
      timeout: number
      /** Largest accepted size in bytes. */
      max_bytes: number
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** Keep a partial file and continue it next time. */
      resume: boolean
      /** Hex digest the finished file must have. */
      expected_sha256: (string | null)
      /** Follow up to five redirects, each of them checked. */
      follow_redirects: boolean
      /** Seconds for the whole download; when left out, five minutes and as long as `max_bytes` take at 16 KiB a second. */
      total_timeout: (number | null)
      /** Give the file the time at which the server says that it was changed. */
      keep_time: boolean
      /** Check TLS certificates, or the path of a bundle or folder of trusted ones. */
      verify: (boolean | string)
    }
    /** true when the file is complete and verified */
    result: boolean
  }
}
