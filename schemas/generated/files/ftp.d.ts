// Generated from stdlib/files/remote/ftp/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Connect to an FTP or FTPS server. */
  FA_ftp_later_init: {
    params: {
      /** Server name or address. */
      host: string
      /** Login name. */
      username: string
      /** Password. */
      password: string
      /** Control port. */
      port: number
      /** Upgrade to TLS after connecting and protect data too. */
      tls: boolean
      /** Time limit in seconds. */
      timeout: number
      /** Use passive data connections. */
      passive: boolean
      /** Check the server certificate, or the path of a PEM file of trusted ones. */
      verify_tls: (boolean | string)
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true when ready */
    result: true
  }
  /** Close the FTP connection. */
  FA_ftp_close: {
    params: {
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true, also when nothing was open */
    result: true
  }
  /** Send one file over FTP. */
  FA_ftp_upload_file: {
    params: {
      /** Local file to send. */
      file_path: string
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
  /** Send a folder tree over FTP. */
  FA_ftp_upload_dir: {
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
  /** Fetch one file over FTP. */
  FA_ftp_download_file: {
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
  /** Delete one remote file over FTP. */
  FA_ftp_delete_path: {
    params: {
      /** Path on the remote side. */
      remote_path: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true on success */
    result: true
  }
  /** List the names in a remote folder over FTP. */
  FA_ftp_list_dir: {
    params: {
      /** Remote folder. */
      remote_path: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** base names in server order */
    result: ReadonlyArray<string>
  }
}
