// Generated from stdlib/files/reporting/secrets/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Tell which secret references can be resolved. */
  FA_secret_check: {
    params: {
      /** References such as ${env:NAME}. */
      references: ReadonlyArray<string>
      /** Folder of secret files. */
      file_root: (string | null)
    }
    /** references by outcome, never the values */
    result: {
      resolved: ReadonlyArray<string>
      missing: ReadonlyArray<string>
    }
  }
}
