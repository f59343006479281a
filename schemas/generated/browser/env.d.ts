// Generated from stdlib/browser/core/env/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Replace ${ENV.KEY} placeholders inside any JSON value. */
  WR_expand_env_in_action: {
    params: {
      /** Value to walk; texts, lists and objects are visited. */
      data: unknown
    }
    /** The same shape with placeholders replaced. */
    result: unknown
  }
  /** Read one environment variable. */
  WR_get_env: {
    params: {
      /** Variable name. */
      key: string
      /** Value used when the variable is not set. */
      default: (string | null)
    }
    /** The variable, the default, or null. */
    result: (string | null)
  }
  /** Load variables from the environment file of one target environment. */
  WR_load_env: {
    params: {
      /** Environment name; null reads the plain `.env` file. */
      env_name: (string | null)
      /** Folder that holds the files. */
      env_dir: string
      /** true lets values of the file replace variables that are set. */
      override: boolean
    }
    /** Path of the file that was loaded. */
    result: string
  }
}
