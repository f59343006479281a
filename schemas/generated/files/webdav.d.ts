// Generated from stdlib/files/remote/webdav/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Set up access to a WebDAV server. */
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
      /** Check the server certificate. */
      verify_tls: boolean
    }
    /** true when ready */
    result: true
  }
  /** Tell whether a WebDAV resource exists. */
  FA_webdav_exists: {
    params: {
      /** Path on the remote side. */
      remote_path: string
    }
    /** true for an answer from 200 to 299 */
    result: boolean
  }
  /** Send one file with PUT. */
  FA_webdav_upload_file: {
    params: {
      /** Local file to send. */
      local_path: string
      /** Path on the remote side. */
      remote_path: string
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
    }
    result: null | undefined | void
  }
  /** Delete a WebDAV resource. */
  FA_webdav_delete_path: {
    params: {
      /** Path on the remote side. */
      remote_path: string
    }
    result: null | undefined | void
  }
  /** Create a WebDAV collection with MKCOL. */
  FA_webdav_create_dir: {
    params: {
      /** Path on the remote side. */
      remote_path: string
    }
    result: null | undefined | void
  }
  /** List a WebDAV collection. */
  FA_webdav_list_dir: {
    params: {
      /** Collection; empty text means the base. */
      remote_path: string
    }
    /** entries as the server reports them */
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
    params: {}
    /** true */
    result: true
  }
}
