// Generated from stdlib/files/sync/sync/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Mirror a source tree into a target tree, copying only what changed. */
  FA_sync_dir: {
    params: {
      /** Source folder. */
      src: string
      /** Target folder, created when missing. */
      dst: string
      /** How an existing target file is judged unchanged. */
      compare: ("size_mtime" | "checksum")
      /** Delete target files that the source does not have. */
      delete: boolean
      /** Only report what would happen. */
      dry_run: boolean
    }
    /** relative forward-slash paths per outcome; errors are [path, message] pairs */
    result: {
      copied: ReadonlyArray<string>
      skipped: ReadonlyArray<string>
      deleted: ReadonlyArray<string>
      errors: ReadonlyArray<[string, string]>
      dry_run: boolean
    }
  }
}
