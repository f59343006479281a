// Generated from stdlib/files/remote/drive3/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Use a ready access token for the third cloud drive. */
  FA_drive3_later_init: {
    params: {
      /** Access token. */
      access_token: string
      /** Application id, only for token refresh. */
      client_id: string
      /** Application secret, only for token refresh. */
      client_secret: string
      /** File with the token to renew by. */
      token_path: (string | null)
      /** Other service address with the same interface. */
      endpoint_url: (string | null)
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true when ready */
    result: true
  }
  /** Send one file to the third cloud drive. */
  FA_drive3_upload_file: {
    params: {
      /** Local file to send. */
      file_path: string
      /** Id of the folder; 0 is the root. */
      parent_folder_id: string
      /** Name on the drive; the local name when empty. */
      name: string
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** The most bytes to move in a second; null: as fast as it goes. */
      bytes_per_second: (number | null)
      /** Keep what has come when a transfer breaks off and go on there next time. */
      resume: boolean
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** id of the new file */
    result: string
  }
  /** Send a folder tree to the third cloud drive. */
  FA_drive3_upload_dir: {
    params: {
      /** Local folder to send with all sub-folders. */
      dir_path: string
      /** Id of the folder; 0 is the root. */
      parent_folder_id: string
      /** Send only what is not over there yet. */
      resume: boolean
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** The most bytes to move in a second; null: as fast as it goes. */
      bytes_per_second: (number | null)
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** relative paths that were sent */
    result: ReadonlyArray<string>
  }
  /** Fetch one file from the third cloud drive. */
  FA_drive3_download_file: {
    params: {
      /** Id of the file. */
      file_id: string
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
  /** Delete one file on the third cloud drive. */
  FA_drive3_delete_file: {
    params: {
      /** Id of the file. */
      file_id: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true on success */
    result: true
  }
  /** Delete a folder on the third cloud drive. */
  FA_drive3_delete_folder: {
    params: {
      /** Id of the folder. */
      folder_id: string
      /** Delete content too. */
      recursive: boolean
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true on success */
    result: true
  }
  /** List a folder of the third cloud drive. */
  FA_drive3_list_folder: {
    params: {
      /** Id of the folder; 0 is the root. */
      folder_id: string
      /** The most entries to list. */
      limit: number
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** entries of the folder */
    result: ReadonlyArray<{
      id: string
      name: string
      type: ("file" | "folder" | "web_link")
    }>
  }
}
