// Generated from stdlib/files/safety/checksum/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Compute the digest of a file. */
  FA_file_checksum: {
    params: {
      /** File to read. */
      path: string
      /** Digest name. */
      algorithm: string
      /** Read size in bytes, 16 MiB at most. */
      chunk_size: number
      /** Name under which the transfer is watched and cancelled. */
      progress_name: (string | null)
    }
    /** lower-case hex digest */
    result: string
  }
  /** Check a file against an expected digest. */
  FA_verify_checksum: {
    params: {
      /** File to read. */
      path: string
      /** Expected hex digest. */
      expected: string
      /** Digest name. */
      algorithm: string
      /** Read size in bytes, 16 MiB at most. */
      chunk_size: number
      /** Name under which the transfer is watched and cancelled. */
      progress_name: (string | null)
    }
    /** true when equal */
    result: boolean
  }
}
