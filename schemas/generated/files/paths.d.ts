// Generated from stdlib/files/local/paths/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Resolve a path below a base folder and refuse to leave it. */
  FA_safe_join: {
    params: {
      /** Trusted folder. */
      base: string
      /** Untrusted relative or absolute path. */
      user_path: string
    }
    /** absolute resolved path */
    result: string
  }
  /** Tell whether a path stays inside a base folder. */
  FA_is_within: {
    params: {
      /** Trusted folder. */
      base: string
      /** Path to test. */
      user_path: string
    }
    /** true when inside */
    result: boolean
  }
}
