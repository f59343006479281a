// Generated from stdlib/browser/runs/metadata/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Read the metadata of an action file. */
  WR_read_metadata: {
    params: {
      /** Action file. */
      path: string
    }
    /** The object `meta`; empty where there is none. */
    result: {
      [k: string]: unknown
    }
  }
  /** Choose action files by their tags. */
  WR_filter_paths: {
    params: {
      /** Action files. */
      paths: ReadonlyArray<string>
      /** Keep files with at least one of these tags. */
      include: (ReadonlyArray<string> | null)
      /** Drop files with any of these tags. */
      exclude: (ReadonlyArray<string> | null)
    }
    /** The paths that are kept, in their order. */
    result: ReadonlyArray<string>
  }
}
