// Generated from stdlib/browser/checks/snapshot/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Compare a text with its stored snapshot, storing it the first time. */
  WR_match_snapshot: {
    params: {
      /** Snapshot name. */
      name: string
      /** Text to compare or store. */
      value: string
      /** Folder of the snapshot files. */
      snapshot_dir: string
    }
    /** what happened */
    result: ("created" | "matched" | "updated")
  }
  /** Overwrite a stored snapshot. */
  WR_update_snapshot: {
    params: {
      /** Snapshot name. */
      name: string
      /** Text to compare or store. */
      value: string
      /** Folder of the snapshot files. */
      snapshot_dir: string
    }
    /** path of the file */
    result: string
  }
  /** Delete a stored snapshot. */
  WR_delete_snapshot: {
    params: {
      /** Snapshot name. */
      name: string
      /** Folder of the snapshot files. */
      snapshot_dir: string
    }
    /** true when a file was removed */
    result: boolean
  }
}
