// Generated from stdlib/browser/authoring/command-docs/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Build a Markdown table of all commands. */
  WR_build_command_reference: {
    params: {
      /** Heading. */
      title: string
    }
    /** Markdown text. */
    result: string
  }
  /** Write a Markdown table of all commands. */
  WR_export_command_reference: {
    params: {
      /** File to write. */
      path: string
      /** Heading; null or empty uses the default. */
      title: (string | null)
    }
    /** Absolute path of the file. */
    result: string
  }
  /** List all command names of this family of names. */
  WR_list_commands: {
    params: {}
    /** Names that begin with WR_, sorted with letter case ignored. */
    result: ReadonlyArray<string>
  }
}
