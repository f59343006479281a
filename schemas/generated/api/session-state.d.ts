// Generated from stdlib/api/core/session-state/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Take over cookies from a file for the session. */
  AT_load_storage_state: {
    params: {
      /** File that holds the state. */
      path: string
    }
    /** how many cookies and sites there are */
    result: {
      cookies: number
      origins: number
    }
  }
  /** Keep the cookies of the session in a file. */
  AT_save_storage_state: {
    params: {
      /** JSON file to write. */
      path: string
    }
    /** how many cookies and sites there are */
    result: {
      cookies: number
      origins: number
    }
  }
}
