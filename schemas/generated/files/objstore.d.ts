// Generated from stdlib/files/remote/objstore/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Set up access to the object store. */
  FA_objstore_later_init: {
    params: {
      /** Access key id; the usual credential chain when left out. */
      access_key_id: (string | null)
      /** Secret key. */
      secret_access_key: (string | null)
      /** Region. */
      region_name: (string | null)
      /** Other service address for compatible stores. */
      endpoint_url: (string | null)
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true when ready */
    result: true
  }
  /** Send one file to a bucket. */
  FA_objstore_upload_file: {
    params: {
      /** Local file to send. */
      local_path: string
      /** Bucket name. */
      bucket: string
      /** Object key. */
      key: string
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
  /** Send a folder tree to a bucket. */
  FA_objstore_upload_dir: {
    params: {
      /** Local folder to send with all sub-folders. */
      dir_path: string
      /** Bucket name. */
      bucket: string
      /** Prefix put before each relative path. */
      key_prefix: string
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
    /** keys that were sent */
    result: ReadonlyArray<string>
  }
  /** Fetch one object from a bucket. */
  FA_objstore_download_file: {
    params: {
      /** Bucket name. */
      bucket: string
      /** Object key. */
      key: string
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
  /** Delete one object from a bucket. */
  FA_objstore_delete_object: {
    params: {
      /** Bucket name. */
      bucket: string
      /** Object key. */
      key: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true on success */
    result: true
  }
  /** List the keys of a bucket. */
  FA_objstore_list_bucket: {
    params: {
      /** Bucket name. */
      bucket: string
      /** Only keys that begin with this. */
      prefix: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** keys in service order */
    result: ReadonlyArray<string>
  }
}
