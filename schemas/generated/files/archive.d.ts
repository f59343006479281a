// Generated from stdlib/files/archives/archive/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Tell the archive format of a file from its first bytes. */
  FA_archive_detect: {
    params: {
      /** File to inspect. */
      path: string
    }
    /** format name */
    result: ("zip" | "tar" | "tar.gz" | "tar.bz2" | "tar.xz" | "tar.zst" | "gz" | "bz2" | "xz" | "zst" | "7z" | "rar")
  }
  /** List the entries of an archive of any supported format. */
  FA_archive_list: {
    params: {
      /** Archive. */
      path: string
    }
    /** member names in archive order */
    result: ReadonlyArray<string>
  }
  /** Unpack an archive of any supported format safely. */
  FA_archive_extract: {
    params: {
      /** Archive. */
      source: string
      /** Folder to unpack into, made when missing. */
      target: string
    }
    /** names of unpacked members in archive order (files only for ZIP) */
    result: ReadonlyArray<string>
  }
  /** List the archive formats that can be told apart. */
  FA_archive_formats: {
    params: {}
    /** format names */
    result: ReadonlyArray<"zip" | "tar" | "tar.gz" | "tar.bz2" | "tar.xz" | "tar.zst" | "gz" | "bz2" | "xz" | "zst" | "7z" | "rar">
  }
}
