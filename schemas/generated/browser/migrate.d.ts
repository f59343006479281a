// Generated from stdlib/browser/authoring/migrate/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Replace older command names in an action list. */
  WR_migrate_action: {
    params: {
      /** Actions or action file content. */
      data: unknown
    }
    /**
     * pair of rewritten data and changes
     *
     * @minItems 2
     * @maxItems 2
     */
    result: [unknown, ReadonlyArray<{
      index: number
      from: string
      to: string
    }>]
  }
  /** Replace older command names in an action file. */
  WR_migrate_action_file: {
    params: {
      /** JSON action file. */
      path: string
      /** true only reports, false writes the file. */
      dry_run: boolean
    }
    /** path, changes, and whether it was written */
    result: {
      path: string
      changes: ReadonlyArray<{
        index: number
        from: string
        to: string
      }>
      written: boolean
    }
  }
  /** Replace older command names in all JSON files of a folder. */
  WR_migrate_directory: {
    params: {
      /** Folder, searched with sub-folders. */
      directory: string
      /** true only reports, false writes the file. */
      dry_run: boolean
    }
    /** one entry per file */
    result: ReadonlyArray<{
      path: string
      changes: ReadonlyArray<{
        index: number
        from: string
        to: string
      }>
      written: boolean
    }>
  }
}
