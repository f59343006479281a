// Generated from stdlib/files/reporting/project/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Create a starter project. */
  FA_create_project: {
    params: {
      /** Folder to create it in; the current one when left out. */
      project_path: (string | null)
      /** Name of the project folder. */
      parent_name: string
    }
    /** what was created */
    result: {
      /** absolute */
      root: string
      /** what was written, by its way from `root`, with `/` */
      files: ReadonlyArray<string>
      /** what was there already and stays as it is */
      kept: ReadonlyArray<string>
    }
  }
}
