// Generated from stdlib/files/reporting/secrets/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Tell which secret references can be resolved. */
  FA_secret_check: {
    params: {
      /** References such as ${env:NAME}. */
      references: ReadonlyArray<string>
      /** Folder of secret files; without it, none of `file` resolves. */
      file_root: (string | null)
    }
    /** references by outcome, in the order given; never the values */
    result: {
      resolved: ReadonlyArray<string>
      missing: ReadonlyArray<string>
    }
  }
}
