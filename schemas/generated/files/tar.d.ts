// Generated from stdlib/files/archives/tar/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Pack a file or folder into a tar archive. */
  FA_create_tar: {
    params: {
      /** File or folder to pack. */
      source: string
      /** Archive to write. */
      target: string
      /** Compression: `gz`, `zst`, `bz2`, `xz` or `none`; an empty text and null mean none. */
      compression: (string | null)
      /** Name under which the transfer is watched and cancelled. */
      progress_name: (string | null)
    }
    /** path of the archive as given */
    result: string
  }
  /** Unpack a tar archive while refusing entries that leave the target folder. */
  FA_extract_tar: {
    params: {
      /** Archive; its first bytes tell the compression (gz, bz2, xz, zst or none). */
      source: string
      /** Folder to unpack into, made when missing. */
      target_dir: string
      /** Name under which the transfer is watched and cancelled. */
      progress_name: (string | null)
    }
    /** member names in archive order */
    result: ReadonlyArray<string>
  }
}
