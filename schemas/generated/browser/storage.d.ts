// Generated from stdlib/browser/webdriver/storage/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Read all local-storage entries. */
  WR_local_storage_all: {
    params: {}
    /** entry name to text */
    result: {
      [k: string]: string
    }
  }
  /** Remove all local-storage entries. */
  WR_local_storage_clear: {
    params: {}
    result: null | undefined | void
  }
  /** Read one local-storage entry. */
  WR_local_storage_get: {
    params: {
      /** Entry name. */
      key: string
    }
    /** text, or null when absent */
    result: (string | null)
  }
  /** Remove one local-storage entry. */
  WR_local_storage_remove: {
    params: {
      /** Entry name. */
      key: string
    }
    result: null | undefined | void
  }
  /** Write one local-storage entry. */
  WR_local_storage_set: {
    params: {
      /** Entry name. */
      key: string
      /** Text to store. */
      value: string
    }
    result: null | undefined | void
  }
  /** Remove all session-storage entries. */
  WR_session_storage_clear: {
    params: {}
    result: null | undefined | void
  }
  /** Read one session-storage entry. */
  WR_session_storage_get: {
    params: {
      /** Entry name. */
      key: string
    }
    /** text, or null when absent */
    result: (string | null)
  }
  /** Write one session-storage entry. */
  WR_session_storage_set: {
    params: {
      /** Entry name. */
      key: string
      /** Text to store. */
      value: string
    }
    result: null | undefined | void
  }
  /** Ask the browser to delete one indexed database. */
  WR_indexed_db_drop: {
    params: {
      /** Database name. */
      db_name: string
    }
    result: null | undefined | void
  }
  /** Take over cookies and local storage from a file. */
  WR_load_storage_state: {
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
  /** Keep cookies and local storage in a file. */
  WR_save_storage_state: {
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
