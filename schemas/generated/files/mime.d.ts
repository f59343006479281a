// Generated from stdlib/files/local/mime/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Guess the media type of a file. */
  FA_mime_detect: {
    params: {
      /** File to inspect; need not exist when the name decides. */
      path: string
    }
    /** media type such as image/png */
    result: string
  }
  /** Guess the media type of a byte string. */
  FA_mime_detect_bytes: {
    params: {
      /** First bytes of the content. */
      data: string
    }
    /** media type */
    result: string
  }
}
