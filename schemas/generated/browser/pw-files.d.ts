// Generated from stdlib/browser/playwright/pw-files/commands.yaml by `npm run generate`. Do not edit.
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
}
