// Generated from stdlib/browser/core/env/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Replace ${ENV.KEY} placeholders inside any JSON value. */
  WR_expand_env_in_action: {
    params: {
      /** Value to walk; text, arrays and objects are visited. */
      data: unknown
    }
    /** same shape with placeholders replaced */
    result: unknown
  }
  /** Read one environment variable. */
  WR_get_env: {
    params: {
      /** Variable name. */
      key: string
      /** Value used when the variable is not set. */
      default?: (string | null)
    }
    /** the variable, the default, or null */
    result: (string | null)
  }
  /** Load variables from the environment file of one target environment. */
  WR_load_env: {
    params: {
      /** Environment name; null reads the plain `.env` file. */
      env_name?: (string | null)
      /** Folder that holds the files. */
      env_dir: string
      /** true lets file values replace variables that already exist. */
      override: boolean
    }
    /** path of the file that was loaded */
    result: string
  }
}
