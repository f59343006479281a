// Generated from stdlib/files/remote/filesync/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Set up access to the file-sync service. */
  FA_filesync_later_init: {
    params: {
      /** Access token. */
      oauth2_access_token: string
      /** Other service address with the same interface. */
      endpoint_url: (string | null)
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true when ready */
    result: true
  }
  /** Send one file to the file-sync service. */
  FA_filesync_upload_file: {
    params: {
      /** Local file to send. */
      local_path: string
      /** Path on the remote side. */
      remote_path: string
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** The most bytes to move in a second; null: as fast as it goes. */
      bytes_per_second: (number | null)
      /** Keep what has come when a transfer breaks off and go on there next time. */
      resume: boolean
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true on success */
    result: true
  }
  /** Send a folder tree to the file-sync service. */
  FA_filesync_upload_dir: {
    params: {
      /** Local folder to send with all sub-folders. */
      dir_path: string
      /** Remote folder. */
      remote_prefix: string
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
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** remote paths that were sent */
    result: ReadonlyArray<string>
  }
  /** Fetch one file from the file-sync service. */
  FA_filesync_download_file: {
    params: {
      /** Path on the remote side. */
      remote_path: string
      /** Local file to write; missing folders are created. */
      target_path: string
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** The most bytes to move in a second; null: as fast as it goes. */
      bytes_per_second: (number | null)
      /** Keep what has come when a transfer breaks off and go on there next time. */
      resume: boolean
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true on success */
    result: true
  }
  /** Delete a file or folder on the file-sync service. */
  FA_filesync_delete_path: {
    params: {
      /** Path on the remote side. */
      remote_path: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true on success */
    result: true
  }
  /** List a folder of the file-sync service. */
  FA_filesync_list_folder: {
    params: {
      /** Folder; empty text means the root. */
      remote_path: string
      /** Include all sub-folders. */
      recursive: boolean
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** display paths of files and folders */
    result: ReadonlyArray<string>
  }
}
