// Generated from stdlib/browser/playwright/pw-har/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Record network traffic into an archive file. */
  WR_pw_start_har_recording: {
    params: {
      /** Archive file to write. */
      har_path: string
      /** Bodies: left out, inside the file, or as separate files. */
      content: ("omit" | "embed" | "attach")
    }
    result: null | undefined | void
  }
  /** Stop recording and write the archive file. */
  WR_pw_stop_har_recording: {
    params: {}
    /** path of the file, or null */
    result: (string | null)
  }
}
