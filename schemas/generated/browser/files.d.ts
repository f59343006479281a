// Generated from stdlib/browser/webdriver/files/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Put a file into a file input. */
  WR_upload_file: {
    params: {
      /** CSS selector of the file input. */
      input_selector: string
      /** File to upload. */
      file_path: string
    }
    result: null | undefined | void
  }
  /** Wait for a new finished file in a folder. */
  WR_wait_for_download: {
    params: {
      /** Folder to watch. */
      directory: string
      /** Longest wait in seconds. */
      timeout: number
      /** Required ending of the file name, any letter case. */
      suffix?: (string | null)
      /** Seconds between looks. */
      poll_seconds: number
      /** Absolute paths that are not new, from WR_snapshot_directory. */
      before?: (ReadonlyArray<string> | null)
    }
    /** absolute path of the first match */
    result: string
  }
  /** List files that appeared since a snapshot. */
  WR_list_new_downloads: {
    params: {
      /** Folder to list. */
      directory: string
      /** Absolute paths from WR_snapshot_directory. */
      before: ReadonlyArray<string>
    }
    /** absolute paths of new entries */
    result: ReadonlyArray<string>
  }
  /** List the files of a folder, to compare later. */
  WR_snapshot_directory: {
    params: {
      /** Folder to list. */
      directory: string
    }
    /** absolute paths */
    result: ReadonlyArray<string>
  }
}
