// Generated from stdlib/browser/playwright/pw-files/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Put a file into a file input. */
  WR_pw_upload_file: {
    params: {
      /** Selector of the file input. */
      input_selector: string
      /** File to upload. */
      file_path: string
    }
    result: null | undefined | void
  }
  /** Click what starts a download and keep the file. */
  WR_pw_download_file: {
    params: {
      /** Selector of the link or button. */
      selector: string
      /** Folder to keep it in. */
      directory: string
      /** Longest wait in seconds, until all of it is there. */
      timeout: number
    }
    /** the file, and the name that the page gave it */
    result: {
      path: string
      name: string
      size: number
      sha256: string
    }
  }
}
