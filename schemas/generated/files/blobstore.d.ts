// Generated from stdlib/files/remote/blobstore/commands.yaml by `npm run generate`. Do not edit.
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
    }
    /** true on success */
    result: boolean
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
    }
    /** true on success */
    result: boolean
  }
  /** Delete one blob. */
  FA_blobstore_delete_blob: {
    params: {
      /** Container name. */
      container: string
      /** Blob name. */
      blob_name: string
    }
    /** true on success */
    result: boolean
  }
  /** List the blobs of a container. */
  FA_blobstore_list_container: {
    params: {
      /** Container name. */
      container: string
      /** Only names that begin with this. */
      name_prefix: string
    }
    /** blob names */
    result: ReadonlyArray<string>
  }
}
