// Generated from stdlib/api/core/environment/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
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
    result: {
      /** The file name without its ending. */
      name: string
      /** All values as text. */
      values: {
        [k: string]: string
      }
      /** The file path. */
      source: string
      /** The filled map, where one was given. */
      store?: {
        [k: string]: unknown
      }
    }
  }
}
