// Generated from stdlib/files/archives/zip/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Pack a folder into a ZIP file. */
  FA_zip_dir: {
    params: {
      /** Folder whose content is packed. */
      dir_we_want_to_zip: string
      /** Archive path; `.zip` is appended when it is missing. */
      zip_name: string
      /** Name under which the transfer is watched and cancelled. */
      progress_name: (string | null)
    }
    /** path of the archive */
    result: string
  }
  /** Pack one or several files into a ZIP file. */
  FA_zip_file: {
    params: {
      /** Archive to write, used as given. */
      zip_file_path: string
      /** File or list of files. */
      file: (string | ReadonlyArray<string>)
      /** Name under which the transfer is watched and cancelled. */
      progress_name: (string | null)
    }
    result: null | undefined | void
  }
  /** Describe every member of a ZIP file. */
  FA_zip_info: {
    params: {
      /** Archive to inspect. */
      zip_file_path: string
    }
    /** one description per member, in archive order */
    result: ReadonlyArray<{
      /** as stored */
      filename: string
      /** bytes */
      file_size: number
      /** bytes */
      compress_size: number
      /** left out where encryption hides it */
      crc?: number
      /** ISO 8601; UTC with a final Z where the archive stores it, else local time without a zone; left out where it stores no date */
      modified_at?: string
      is_dir: boolean
      encrypted?: boolean
    }>
  }
  /** List the member names of a ZIP file. */
  FA_zip_file_info: {
    params: {
      /** Archive to inspect. */
      zip_file_path: string
    }
    /** member names in archive order; folders end with a slash */
    result: ReadonlyArray<string>
  }
  /** Remember the password used to read an encrypted ZIP file. */
  FA_set_zip_password: {
    params: {
      /** Encrypted archive. */
      zip_file_path: string
      /** Password, text encoded as UTF-8. */
      password: string
    }
    result: null | undefined | void
  }
  /** Unpack one member of a ZIP file. */
  FA_unzip_file: {
    params: {
      /** Archive. */
      zip_file_path: string
      /** Member name exactly as stored. */
      extract_member: string
      /** Target folder, made when missing; the working directory when left out. */
      extract_path: (string | null)
      /** Password of an encrypted archive, text encoded as UTF-8. */
      password: (string | null)
    }
    /** path written */
    result: string
  }
  /** Read one member of a ZIP file into memory. */
  FA_read_zip_file: {
    params: {
      /** Archive. */
      zip_file_path: string
      /** Member name exactly as stored. */
      file_name: string
      /** Password of an encrypted archive, text encoded as UTF-8. */
      password: (string | null)
    }
    /** content of the member */
    result: string
  }
  /** Unpack all members of a ZIP file, or a chosen subset. */
  FA_unzip_all: {
    params: {
      /** Archive. */
      zip_file_path: string
      /** Member names to unpack, each once; all when left out. */
      extract_member: (ReadonlyArray<string> | null)
      /** Target folder, made when missing; the working directory when left out. */
      extract_path: (string | null)
      /** Password of an encrypted archive, text encoded as UTF-8. */
      password: (string | null)
    }
    /** paths written, in archive order */
    result: ReadonlyArray<string>
  }
}
