// Generated from stdlib/browser/reporting/replay/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Build a timeline page of the recorded steps. */
  WR_build_replay_html: {
    params: {
      /** Step records; default is the record of this run. */
      records: (ReadonlyArray<{
        function_name?: string
        local_param?: {
          [k: string]: unknown
        } | null
        time?: string
        program_exception?: string
      }> | null)
      /** Folder with failure screenshots. */
      screenshot_dir: (string | null)
      /** Heading. */
      title: string
    }
    /** HTML document. */
    result: string
  }
  /** Write a timeline page of the recorded steps. */
  WR_export_replay_studio: {
    params: {
      /** HTML file to write. */
      output_path: string
      /** Step records; default is the record of this run. */
      records: (ReadonlyArray<{
        function_name?: string
        local_param?: {
          [k: string]: unknown
        } | null
        time?: string
        program_exception?: string
      }> | null)
      /** Folder with failure screenshots. */
      screenshot_dir: (string | null)
      /** Heading. */
      title: string
    }
    /** Absolute path of the file. */
    result: string
  }
}
