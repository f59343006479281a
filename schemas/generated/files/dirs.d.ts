// Generated from stdlib/files/local/dirs/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Create a folder together with missing parents. */
  FA_create_dir: {
    params: {
      /** Folder to create. */
      dir_path: string
    }
    /** true */
    result: true
  }
  /** Copy a folder tree, merging into an existing target. */
  FA_copy_dir: {
    params: {
      /** Folder to copy. */
      dir_path: string
      /** Target folder, created when missing. */
      target_dir_path: string
    }
    /** true */
    result: true
  }
  /** Delete a folder with everything below it. */
  FA_remove_dir_tree: {
    params: {
      /** Folder to delete. */
      dir_path: string
    }
    /** true when deleted, false when it was not a folder */
    result: boolean
  }
  /** Rename or move a folder. */
  FA_rename_dir: {
    params: {
      /** Folder to rename. */
      origin_dir_path: string
      /** New path (full path, not only a name). */
      target_dir: string
    }
    /** true */
    result: true
  }
  /** List the direct entries of a folder. */
  FA_list_dir: {
    params: {
      /** Folder to list. */
      dir_path: string
      /** Shell glob matched against the entry name. */
      pattern: string
      /** Also list names that begin with a dot. */
      include_hidden: boolean
    }
    /** entries sorted by name */
    result: ReadonlyArray<{
      name: string
      /** `dir_path` and the name */
      path: string
      type: ("file" | "dir" | "symlink" | "other")
      /** bytes of a file */
      size?: (number | null)
      /** UTC */
      modified_at?: string
    }>
  }
  /** Collect all files with a given extension below a folder. */
  FA_discover_files: {
    params: {
      /** Root folder; the working directory when left out. */
      dir_path: (string | null)
      /** Extension to keep; a missing dot is added. */
      default_search_file_extension: string
    }
    /** absolute file paths, sorted */
    result: ReadonlyArray<string>
  }
}
