// Generated from stdlib/files/remote/drive2/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Use a ready access token for the second cloud drive. */
  FA_drive2_later_init: {
    params: {
      /** Access token. */
      access_token: string
      /** Other service address with the same interface. */
      endpoint_url: (string | null)
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true when ready */
    result: true
  }
  /** Sign in to the second cloud drive with a device code. */
  FA_drive2_device_code_login: {
    params: {
      /** Application id. */
      client_id: string
      /** Directory id; the common one when left out. */
      tenant_id: (string | null)
      /** Permissions to ask for. */
      scopes: (ReadonlyArray<string> | null)
      /** Most seconds to wait. */
      timeout: number
      /** Other service address with the same interface. */
      endpoint_url: (string | null)
      /** Address at which people of another cloud sign in. */
      authority_url: (string | null)
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** expiry and granted scopes, without any token */
    result: {
      expires_in: number
      scope: string
    }
  }
  /** Send one file to the second cloud drive. */
  FA_drive2_upload_file: {
    params: {
      /** Local file to send. */
      file_path: string
      /** Path below the drive root, for example Documents/a.pdf. */
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
  /** Send a folder tree to the second cloud drive. */
  FA_drive2_upload_dir: {
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
  /** Fetch one file from the second cloud drive. */
  FA_drive2_download_file: {
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
  /** Delete a file or folder on the second cloud drive. */
  FA_drive2_delete_item: {
    params: {
      /** Path on the remote side. */
      remote_path: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true on success */
    result: true
  }
  /** List a folder of the second cloud drive. */
  FA_drive2_list_folder: {
    params: {
      /** Folder; empty text means the root. */
      remote_path: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** entries of the folder */
    result: ReadonlyArray<{
      name: string
      type: ("file" | "folder")
      size: number
    }>
  }
  /** Forget the token of the second cloud drive. */
  FA_drive2_close: {
    params: {
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true, also when nothing was open */
    result: true
  }
}
