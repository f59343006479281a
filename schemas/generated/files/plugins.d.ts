// Generated from stdlib/files/reporting/plugins/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** List discovered plugins with their commands or their load error. */
  FA_plugin_list: {
    params: {}
    /** one entry per plugin */
    result: ReadonlyArray<{
      name: string
      version?: (string | null)
      target?: string
      commands: ReadonlyArray<string>
      effects?: {
        [k: string]: ReadonlyArray<string>
      }
      error?: (string | null)
    }>
  }
}
