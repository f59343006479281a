// Generated from stdlib/browser/authoring/validate/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Check an action file. */
  WR_validate_action_file: {
    params: {
      /** Action file, JSON or YAML. */
      json_file_path: string
    }
    /** true where nothing is wrong. */
    result: true
  }
  /** Check a list of actions. */
  WR_validate_action_json: {
    params: {
      /** Actions or the content of an action file. */
      data: unknown
    }
    /** true where nothing is wrong. */
    result: true
  }
}
