// Generated from stdlib/files/local/files/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Write a text file, replacing whatever was there. */
  FA_create_file: {
    params: {
      /** File to write. */
      file_path: string
      /** Text to store. */
      content: string
      /** Text encoding used for the bytes on disk. */
      encoding: string
    }
    result: null | undefined | void
  }
  /** Copy one file to a new path or into a folder. */
  FA_copy_file: {
    params: {
      /** Existing file to copy. */
      source: string
      /** New file path, or an existing folder. */
      target: string
      /** Also carry over the times. */
      copy_metadata: boolean
      /** Name under which the transfer is watched and cancelled. */
      progress_name: (string | null)
    }
    /** true */
    result: true
  }
  /** Give every file under a folder a numbered name with one common stem. */
  FA_rename_file: {
    params: {
      /** Folder whose files are renamed (despite the name it is not a file). */
      origin_file_path: string
      /** Common stem of the new names. */
      target_name: string
      /** Only rename files with this extension; a leading dot is ignored. */
      file_extension: (string | null)
    }
    /** true */
    result: true
  }
  /** Delete a file when it is there. */
  FA_remove_file: {
    params: {
      /** File to delete. */
      file_path: string
    }
    /** true when a file was deleted, false when there was none */
    result: boolean
  }
  /** Copy the content of one folder into another existing folder. */
  FA_copy_all_file_to_dir: {
    params: {
      /** Folder to copy from. */
      source_dir: string
      /** Existing folder to copy into. */
      target_dir: string
    }
    /** true */
    result: true
  }
  /** Copy every file with one extension out of a tree into one folder. */
  FA_copy_specify_extension_file: {
    params: {
      /** Root folder searched with all sub-folders. */
      file_dir_path: string
      /** Extension to match, with or without the leading dot. */
      target_extension: string
      /** Folder that receives the copies, made when missing. */
      target_path: string
      /** Also carry over the times. */
      copy_metadata: boolean
    }
    /** number of files copied */
    result: number
  }
}
