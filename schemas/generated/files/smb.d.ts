// Generated from stdlib/files/remote/smb/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Connect to an SMB/CIFS share. */
  FA_smb_later_init: {
    params: {
      /** Server name or address. */
      server: string
      /** Share name; outer slashes are dropped. */
      share: string
      /** Login name, also `DOMAIN\name`. */
      username: (string | null)
      /** Password. */
      password: (string | null)
      /** Server port. */
      port: number
      /** Demand encryption. */
      encrypt: boolean
      /** Connect time limit in seconds. */
      connection_timeout: number
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true when ready */
    result: true
  }
  /** Tell whether a path exists on the share. */
  FA_smb_exists: {
    params: {
      /** Path on the remote side. */
      remote_path: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true when it exists */
    result: boolean
  }
  /** Send one file to the share. */
  FA_smb_upload_file: {
    params: {
      /** Local file to send. */
      local_path: string
      /** Path on the remote side. */
      remote_path: string
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** The most bytes to move in a second; null: as fast as it goes. */
      bytes_per_second: (number | null)
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    result: null | undefined | void
  }
  /** Send a folder tree to the share. */
  FA_smb_upload_dir: {
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
  /** Fetch one file from the share. */
  FA_smb_download_file: {
    params: {
      /** Path on the remote side. */
      remote_path: string
      /** Local file to write; missing folders are created. */
      target_path: string
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** The most bytes to move in a second; null: as fast as it goes. */
      bytes_per_second: (number | null)
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    result: null | undefined | void
  }
  /** Delete one file on the share. */
  FA_smb_delete_path: {
    params: {
      /** Path on the remote side. */
      remote_path: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    result: null | undefined | void
  }
  /** Create a folder on the share. */
  FA_smb_create_dir: {
    params: {
      /** Path on the remote side. */
      remote_path: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    result: null | undefined | void
  }
  /** Delete an empty folder on the share. */
  FA_smb_remove_dir: {
    params: {
      /** Path on the remote side. */
      remote_path: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    result: null | undefined | void
  }
  /** List a folder on the share. */
  FA_smb_list_dir: {
    params: {
      /** Folder; empty text means the top of the share. */
      remote_path: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** entries, not recursive */
    result: ReadonlyArray<{
      name: string
      is_dir: boolean
      size: (number | null)
    }>
  }
  /** Close the SMB connection. */
  FA_smb_close: {
    params: {
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true, also when nothing was open */
    result: true
  }
}
