// Generated from stdlib/files/remote/blobstore/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Set up access to the blob store. */
  FA_blobstore_later_init: {
    params: {
      /** Connection string; wins when given. */
      connection_string: (string | null)
      /** Account address used without a connection string. */
      account_url: (string | null)
      /** Key or token used with the account address. */
      credential: (string | null)
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true when ready */
    result: true
  }
  /** Send one file to a container. */
  FA_blobstore_upload_file: {
    params: {
      /** Local file to send. */
      local_path: string
      /** Container name. */
      container: string
      /** Blob name. */
      blob_name: string
      /** Replace an existing blob. */
      overwrite: boolean
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
  /** Send a folder tree to a container. */
  FA_blobstore_upload_dir: {
    params: {
      /** Local folder to send with all sub-folders. */
      dir_path: string
      /** Container name. */
      container: string
      /** Prefix put before each relative path. */
      name_prefix: string
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
    /** blob names that were sent */
    result: ReadonlyArray<string>
  }
  /** Fetch one blob from a container. */
  FA_blobstore_download_file: {
    params: {
      /** Container name. */
      container: string
      /** Blob name. */
      blob_name: string
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
  /** Delete one blob. */
  FA_blobstore_delete_blob: {
    params: {
      /** Container name. */
      container: string
      /** Blob name. */
      blob_name: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true on success */
    result: true
  }
  /** List the blobs of a container. */
  FA_blobstore_list_container: {
    params: {
      /** Container name. */
      container: string
      /** Only names that begin with this. */
      name_prefix: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** blob names */
    result: ReadonlyArray<string>
  }
}
