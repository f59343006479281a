// Generated from stdlib/files/remote/webdav/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Connect to a WebDAV server. */
  FA_webdav_later_init: {
    params: {
      /** Server address including the base folder. */
      base_url: string
      /** Login name. */
      username: (string | null)
      /** Password. */
      password: (string | null)
      /** Permit loopback and private addresses. */
      allow_private_hosts: boolean
      /** Time limit per request in seconds. */
      timeout: number
      /** Check the server certificate, or the path of a bundle or folder of trusted ones. */
      verify_tls: (boolean | string)
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true when ready */
    result: true
  }
  /** Tell whether a WebDAV resource exists. */
  FA_webdav_exists: {
    params: {
      /** Path on the remote side. */
      remote_path: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true for a file or a folder, false for an answer 404 or 410 */
    result: boolean
  }
  /** Send one file with PUT. */
  FA_webdav_upload_file: {
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
  /** Send a folder tree to a WebDAV server. */
  FA_webdav_upload_dir: {
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
  /** Fetch one file with GET. */
  FA_webdav_download_file: {
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
    result: null | undefined | void
  }
  /** Delete a WebDAV resource. */
  FA_webdav_delete_path: {
    params: {
      /** Path on the remote side. */
      remote_path: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    result: null | undefined | void
  }
  /** Create a WebDAV collection with MKCOL. */
  FA_webdav_create_dir: {
    params: {
      /** Path on the remote side. */
      remote_path: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    result: null | undefined | void
  }
  /** List a WebDAV collection. */
  FA_webdav_list_dir: {
    params: {
      /** Collection; empty text means the base. */
      remote_path: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** entries as the server reports them, in its order, without the collection itself */
    result: ReadonlyArray<{
      href: string
      name: string
      is_dir: boolean
      size: (number | null)
      last_modified: (string | null)
    }>
  }
  /** Forget the WebDAV connection and its credentials. */
  FA_webdav_close: {
    params: {
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true, also when nothing was open */
    result: true
  }
}
