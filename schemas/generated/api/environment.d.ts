// Generated from stdlib/api/core/environment/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Load variables from an environment profile file. */
  AT_load_env_profile: {
    params: {
      /** JSON file with an object of names and values. */
      file_path: string
      /** Map to fill instead of the stored variables. */
      store: {
        [k: string]: unknown
      } | null
    }
    /** profile name, values as text and the file path */
    result: {
      name: string
      values: {
        [k: string]: string
      }
      source: string
    }
  }
}
