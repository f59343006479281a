// Generated from stdlib/files/remote/drive2/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Use a ready access token for the second cloud drive. */
  FA_drive2_later_init: {
    params: {
      /** Access token. */
      access_token: string
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
      /** How long to wait, in seconds. */
      timeout: number
    }
    /** expiry and granted scopes, without any token */
    result: {
      expires_in?: number
      scope?: string
    }
  }
  /** Send one file to the second cloud drive. */
  FA_drive2_upload_file: {
    params: {
      /** Local file to send. */
      file_path: string
      /** Path below the drive root, for example Documents/a.pdf. */
      remote_path: string
    }
    /** true on success */
    result: boolean
  }
  /** Send a folder tree to the second cloud drive. */
  FA_drive2_upload_dir: {
    params: {
      /** Local folder to send with all sub-folders. */
      dir_path: string
      /** Remote folder. */
      remote_prefix: string
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
    }
    /** true on success */
    result: boolean
  }
  /** Delete a file or folder on the second cloud drive. */
  FA_drive2_delete_item: {
    params: {
      /** Path on the remote side. */
      remote_path: string
    }
    /** true on success */
    result: boolean
  }
  /** List a folder of the second cloud drive. */
  FA_drive2_list_folder: {
    params: {
      /** Folder; empty text means the root. */
      remote_path: string
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
    params: {}
    /** true */
    result: true
  }
}
