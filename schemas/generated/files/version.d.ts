// Generated from stdlib/files/safety/version/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Store a numbered snapshot of a file. */
  FA_version_save: {
    params: {
      /** Folder that stores the versions. */
      root: string
      /** File the versions belong to. */
      path: string
    }
    /** the new version */
    result: {
      version: number
      /** seconds since 1970 */
      timestamp: number
      /** the snapshot */
      path: string
    }
  }
  /** List the snapshots of a file. */
  FA_version_list: {
    params: {
      /** Folder that stores the versions. */
      root: string
      /** File the versions belong to. */
      path: string
    }
    /** versions, oldest first */
    result: ReadonlyArray<{
      version: number
      /** seconds since 1970 */
      timestamp: number
      /** the snapshot */
      path: string
    }>
  }
  /** Bring back one snapshot of a file. */
  FA_version_restore: {
    params: {
      /** Folder that stores the versions. */
      root: string
      /** File the versions belong to. */
      path: string
      /** Version number. */
      version: number
    }
    result: null | undefined | void
  }
  /** Delete old snapshots of a file. */
  FA_version_prune: {
    params: {
      /** Folder that stores the versions. */
      root: string
      /** File the versions belong to. */
      path: string
      /** Number of the newest to keep. */
      keep: number
    }
    /** number of snapshots deleted */
    result: number
  }
}
