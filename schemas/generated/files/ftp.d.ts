// Generated from stdlib/files/remote/ftp/commands.yaml by `npm run generate`. Do not edit.
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
    }
    /** true when ready */
    result: true
  }
  /** Close the FTP connection. */
  FA_ftp_close: {
    params: {}
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
    }
    /** true on success */
    result: boolean
  }
  /** Send a folder tree over FTP. */
  FA_ftp_upload_dir: {
    params: {
      /** Local folder to send with all sub-folders. */
      dir_path: string
      /** Remote folder. */
      remote_prefix: string
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
    }
    /** true on success */
    result: boolean
  }
  /** Delete one remote file over FTP. */
  FA_ftp_delete_path: {
    params: {
      /** Path on the remote side. */
      remote_path: string
    }
    /** true on success */
    result: boolean
  }
  /** List the names in a remote folder over FTP. */
  FA_ftp_list_dir: {
    params: {
      /** Remote folder. */
      remote_path: string
    }
    /** names as the server prints them */
    result: ReadonlyArray<string>
  }
}
