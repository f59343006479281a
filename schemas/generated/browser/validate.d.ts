// Generated from stdlib/browser/authoring/validate/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Check the structure of an action file. */
  WR_validate_action_file: {
    params: {
      /** JSON action file. */
      json_file_path: string
    }
    /** true when valid */
    result: boolean
  }
  /** Check the structure of an action list. */
  WR_validate_action_json: {
    params: {
      /** Actions or action file content. */
      data: unknown
    }
    /** true when valid */
    result: boolean
  }
}
