// Generated from stdlib/api/core/fake/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Make a random UUID, version 4. */
  AT_fake_uuid: {
    params: {}
    /** UUID in lower case. */
    result: string
  }
  /** Make a random mail address. */
  AT_fake_email: {
    params: {
      /** Part after the @ sign. */
      domain: string
    }
    /** Eight random letters, @ and the domain. */
    result: string
  }
  /** Make a random word of lower-case letters. */
  AT_fake_word: {
    params: {
      /** Number of letters; below 1 counts as 1. */
      length: number
    }
    /** Letters a to z only. */
    result: string
  }
}
