// Generated from stdlib/files/copies/sync/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Mirror a source tree into a target tree, copying only what changed. */
  FA_sync_dir: {
    params: {
      /** Source folder. */
      src: string
      /** Target folder, created when missing. */
      dst: string
      /** Rule by which an existing target file counts as unchanged. */
      compare: ("size_mtime" | "checksum")
      /** Delete target files that the source does not have. */
      delete: boolean
      /** Only report what would happen. */
      dry_run: boolean
      /** The most files that `delete` may delete; null: half of those in the target. */
      max_delete: (number | null)
      /** Globs of what takes part, such as `*.jpg`; all when left out. */
      include: (string | ReadonlyArray<string> | null)
      /** Globs of what is neither copied nor deleted, such as `node_modules/`. */
      exclude: (string | ReadonlyArray<string> | null)
      /** Name under which the transfer is watched and cancelled. */
      progress_name: (string | null)
    }
    /** sorted relative forward-slash paths per outcome, `.` for the folder itself; errors are [path, message] pairs */
    result: {
      /** files and links that were written */
      copied: ReadonlyArray<string>
      /** files and links whose content was right already */
      skipped: ReadonlyArray<string>
      /** files and links that only the target had */
      deleted: ReadonlyArray<string>
      /** files of `skipped`, and folders, whose permission bits or times were brought into line */
      updated: ReadonlyArray<string>
      folders_made: ReadonlyArray<string>
      folders_removed: ReadonlyArray<string>
      errors: ReadonlyArray<[string, string]>
      dry_run: boolean
    }
  }
}
