// Generated from stdlib/browser/authoring/migrate/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Replace older names and forms in a list of actions. */
  WR_migrate_action: {
    params: {
      /** Actions or the content of an action file. */
      data: unknown
    }
    /**
     * Pair of rewritten data and changes.
     *
     * @minItems 2
     * @maxItems 2
     */
    result: [unknown, ReadonlyArray<{
      /** Place of the action in the outermost list. */
      index: number
      from: string
      to: string
    }>]
  }
  /** Replace older names and forms in an action file. */
  WR_migrate_action_file: {
    params: {
      /** Action file, JSON or YAML. */
      path: string
      /** true only reports, false writes the file. */
      dry_run: boolean
    }
    /** Path, changes, and whether it was written. */
    result: {
      path: string
      /** Old names of commands that were replaced. */
      changes: ReadonlyArray<{
        /** Place of the action in the outermost list. */
        index: number
        from: string
        to: string
      }>
      written: boolean
    }
  }
  /** Replace older names and forms in all action files of a folder. */
  WR_migrate_directory: {
    params: {
      /** Folder, searched with its sub-folders. */
      directory: string
      /** true only reports, false writes the files. */
      dry_run: boolean
    }
    /**
     * One entry for each file, sorted by path.
     *
     * Items: Path, changes, and whether it was written.
     */
    result: ReadonlyArray<{
      path: string
      /** Old names of commands that were replaced. */
      changes: ReadonlyArray<{
        /** Place of the action in the outermost list. */
        index: number
        from: string
        to: string
      }>
      written: boolean
    }>
  }
}
