// Generated from stdlib/files/remote/fs/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Tell whether a path exists on any supported filesystem. */
  FA_fs_exists: {
    params: {
      /** Address `scheme://path` understood by the filesystem layer. */
      url: string
      /** Backend settings such as credentials. */
      storage_options: {
        [k: string]: unknown
      }
    }
    /** true when it exists */
    result: boolean
  }
  /** Send one file to any supported filesystem. */
  FA_fs_upload_file: {
    params: {
      /** Local file to send. */
      local_path: string
      /** Address `scheme://path` understood by the filesystem layer. */
      url: string
      /** Backend settings such as credentials. */
      storage_options: {
        [k: string]: unknown
      }
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** The most bytes to move in a second; null: as fast as it goes. */
      bytes_per_second: (number | null)
      /** Keep what has come when a transfer breaks off and go on there next time. */
      resume: boolean
    }
    result: null | undefined | void
  }
  /** Send a folder tree to any supported filesystem. */
  FA_fs_upload_dir: {
    params: {
      /** Local folder to send with all sub-folders. */
      dir_path: string
      /** Address of the target folder. */
      url: string
      /** Backend settings such as credentials. */
      storage_options: {
        [k: string]: unknown
      }
      /** Delete remote files that the folder does not have. */
      delete: boolean
      /** The most files that `delete` may delete; null: half of those over there. */
      max_delete: (number | null)
      /** Only yield what would be sent, after all checks. */
      dry_run: boolean
      /** Files that are sent at once. */
      transfers: number
      /** Send only what is not over there yet. */
      resume: boolean
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** The most bytes to move in a second; null: as fast as it goes. */
      bytes_per_second: (number | null)
    }
    /** addresses that were written */
    result: ReadonlyArray<string>
  }
  /** Fetch one file from any supported filesystem. */
  FA_fs_download_file: {
    params: {
      /** Address `scheme://path` understood by the filesystem layer. */
      url: string
      /** Local file to write; missing folders are created. */
      target_path: string
      /** Backend settings such as credentials. */
      storage_options: {
        [k: string]: unknown
      }
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** The most bytes to move in a second; null: as fast as it goes. */
      bytes_per_second: (number | null)
      /** Keep what has come when a transfer breaks off and go on there next time. */
      resume: boolean
    }
    result: null | undefined | void
  }
  /** Delete a path on any supported filesystem. */
  FA_fs_delete_path: {
    params: {
      /** Address `scheme://path` understood by the filesystem layer. */
      url: string
      /** Delete content too. */
      recursive: boolean
      /** Backend settings such as credentials. */
      storage_options: {
        [k: string]: unknown
      }
    }
    result: null | undefined | void
  }
  /** Create a folder on any supported filesystem. */
  FA_fs_create_dir: {
    params: {
      /** Address `scheme://path` understood by the filesystem layer. */
      url: string
      /** Also create parents, and accept an existing folder. */
      create_parents: boolean
      /** Backend settings such as credentials. */
      storage_options: {
        [k: string]: unknown
      }
    }
    result: null | undefined | void
  }
  /** List a folder on any supported filesystem. */
  FA_fs_list_dir: {
    params: {
      /** Address `scheme://path` understood by the filesystem layer. */
      url: string
      /** Backend settings such as credentials. */
      storage_options: {
        [k: string]: unknown
      }
    }
    /** direct entries; size is null for folders */
    result: ReadonlyArray<{
      name: string
      is_dir: boolean
      size: (number | null)
    }>
  }
}
