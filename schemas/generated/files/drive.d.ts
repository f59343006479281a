// Generated from stdlib/files/remote/drive/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Sign in to the cloud drive with token and credentials files. */
  FA_drive_later_init: {
    params: {
      /** File holding the stored token; written after sign-in. */
      token_path: string
      /** File holding the client credentials. */
      credentials_path: string
      /** Other service address with the same interface. */
      endpoint_url: (string | null)
      /** Seconds that a person has to sign in. */
      sign_in_timeout: (number | null)
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true when ready */
    result: true
  }
  /** List the files of the cloud drive by name. */
  FA_drive_search_all_file: {
    params: {
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** name and id of each file */
    result: ReadonlyArray<{
      name: string
      id: string
    }>
  }
  /** List drive files with a custom field selection. */
  FA_drive_search_field: {
    params: {
      /** Field mask in the syntax of the drive service. */
      field_pattern: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** each file with the fields that were asked for */
    result: ReadonlyArray<{
      [k: string]: unknown
    }>
  }
  /** List drive files of one media type. */
  FA_drive_search_file_mimetype: {
    params: {
      /** Media type to match. */
      mime_type: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** name and id of each file */
    result: ReadonlyArray<{
      name: string
      id: string
    }>
  }
  /** Send one file to the top level of the cloud drive. */
  FA_drive_upload_to_drive: {
    params: {
      /** Local file to send. */
      file_path: string
      /** Name on the drive; the local name when left out. */
      file_name: (string | null)
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** The most bytes to move in a second; null: as fast as it goes. */
      bytes_per_second: (number | null)
      /** Keep what has come when a transfer breaks off and go on there next time. */
      resume: boolean
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** id of the new file */
    result: {
      id: string
    }
  }
  /** Send one file into a drive folder. */
  FA_drive_upload_to_folder: {
    params: {
      /** Id of the drive folder. */
      folder_id: string
      /** Local file to send. */
      file_path: string
      /** Name on the drive; the local name when left out. */
      file_name: (string | null)
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** The most bytes to move in a second; null: as fast as it goes. */
      bytes_per_second: (number | null)
      /** Keep what has come when a transfer breaks off and go on there next time. */
      resume: boolean
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** id of the new file */
    result: {
      id: string
    }
  }
  /** Send the files directly inside a folder to the top level of the drive. */
  FA_drive_upload_dir_to_drive: {
    params: {
      /** Local folder; sub-folders are ignored. */
      dir_path: string
      /** Send only what is not over there yet. */
      resume: boolean
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** The most bytes to move in a second; null: as fast as it goes. */
      bytes_per_second: (number | null)
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** name and id of each new file */
    result: ReadonlyArray<{
      name: string
      id: string
    }>
  }
  /** Send the files directly inside a folder into a drive folder. */
  FA_drive_upload_dir_to_folder: {
    params: {
      /** Id of the drive folder. */
      folder_id: string
      /** Local folder; sub-folders are ignored. */
      dir_path: string
      /** Send only what is not over there yet. */
      resume: boolean
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** The most bytes to move in a second; null: as fast as it goes. */
      bytes_per_second: (number | null)
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** name and id of each new file */
    result: ReadonlyArray<{
      name: string
      id: string
    }>
  }
  /** Create a folder at the top level of the drive. */
  FA_drive_add_folder: {
    params: {
      /** Name of the folder. */
      folder_name: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** id of the folder */
    result: string
  }
  /** Share a drive file with one person. */
  FA_drive_share_file_to_user: {
    params: {
      /** Id of the drive file. */
      file_id: string
      /** E-mail address. */
      user: string
      /** Role to grant. */
      user_role: ("owner" | "organizer" | "fileOrganizer" | "writer" | "commenter" | "reader")
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** id of the permission */
    result: {
      id: string
    }
  }
  /** Share a drive file with everybody who has the link. */
  FA_drive_share_file_to_anyone: {
    params: {
      /** Id of the drive file. */
      file_id: string
      /** Role to grant. */
      share_role: ("writer" | "commenter" | "reader")
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** id of the permission */
    result: {
      id: string
    }
  }
  /** Share a drive file with one organisation domain. */
  FA_drive_share_file_to_domain: {
    params: {
      /** Id of the drive file. */
      file_id: string
      /** Domain name. */
      domain: string
      /** Role to grant. */
      domain_role: ("writer" | "commenter" | "reader")
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** id of the permission */
    result: {
      id: string
    }
  }
  /** Delete a drive file by id. */
  FA_drive_delete_file: {
    params: {
      /** Id of the drive file. */
      file_id: string
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** true on success */
    result: true
  }
  /** Download one drive file. */
  FA_drive_download_file: {
    params: {
      /** Id of the drive file. */
      file_id: string
      /** Local file to write. */
      file_name: string
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
  /** Download every file of a drive folder found by name. */
  FA_drive_download_file_from_folder: {
    params: {
      /** Name of the drive folder. */
      folder_name: string
      /** Local folder to write into; made where it is missing. */
      target_dir: string
      /** Name under which the transfer can be watched and cancelled. */
      progress_name: (string | null)
      /** The most bytes to move in a second; null: as fast as it goes. */
      bytes_per_second: (number | null)
      /** Name of the connection, where several of this kind are open; the one without a name when left out. */
      profile: (string | null)
    }
    /** file id by file name */
    result: {
      [k: string]: string
    }
  }
}
