// Generated from stdlib/files/safety/trash/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Move a file or folder into a trash can. */
  FA_trash_send: {
    params: {
      /** File or folder to throw away. */
      path: string
      /** Folder that serves as trash can. */
      trash_dir: string
    }
    /** the new trash entry */
    result: {
      trash_id: string
      /** where it came from, absolute; empty where that is not known */
      original: string
      /** seconds since 1970 */
      trashed_at: number
      /** where the content is now */
      path: string
      is_dir: boolean
      /** why it cannot be restored as it is; absent: it can */
      problem?: string
    }
  }
  /** List what is in a trash can. */
  FA_trash_list: {
    params: {
      /** Folder that serves as trash can. */
      trash_dir: string
    }
    /** entries, oldest first */
    result: ReadonlyArray<{
      trash_id: string
      /** where it came from, absolute; empty where that is not known */
      original: string
      /** seconds since 1970 */
      trashed_at: number
      /** where the content is now */
      path: string
      is_dir: boolean
      /** why it cannot be restored as it is; absent: it can */
      problem?: string
    }>
  }
  /** Move a trashed item back. */
  FA_trash_restore: {
    params: {
      /** Id of the entry. */
      trash_id: string
      /** Folder that serves as trash can. */
      trash_dir: string
      /** Path to restore it to; the original one when left out. */
      destination: (string | null)
    }
    /** path it was restored to */
    result: string
  }
  /** Delete everything in a trash can for good. */
  FA_trash_empty: {
    params: {
      /** Folder that serves as trash can. */
      trash_dir: string
    }
    /** number of items removed */
    result: number
  }
}
