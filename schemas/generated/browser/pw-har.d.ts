// Generated from stdlib/browser/playwright/pw-har/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Answer requests of the page from an archive file. */
  WR_pw_replay_har: {
    params: {
      /** Archive file to read. */
      har_path: string
      /** Only requests whose address fits. */
      url_pattern: string
      /** Requests that the archive does not hold: fail, or go to the server. */
      not_found: ("abort" | "fallback")
    }
    result: null | undefined | void
  }
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
