// Generated from stdlib/browser/authoring/schema/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Build the JSON Schema of action files. */
  WR_build_action_schema: {
    params: {}
    /** The schema document. */
    result: {
      [k: string]: unknown
    }
  }
  /** Write the JSON Schema of action files. */
  WR_export_action_schema: {
    params: {
      /** File to write. */
      path: string
    }
    /** Absolute path of the file. */
    result: string
  }
}
