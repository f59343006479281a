// Generated from stdlib/browser/authoring/recorder/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Start capturing clicks and input in the current page. */
  WR_recorder_start: {
    params: {}
    result: null | undefined | void
  }
  /** Stop capturing and drop buffered events. */
  WR_recorder_stop: {
    params: {}
    result: null | undefined | void
  }
  /** Take the captured events out of the page. */
  WR_recorder_pull_events: {
    params: {}
    /** events in order */
    result: ReadonlyArray<{
      type: ("click" | "input" | "check" | "key")
      selector: string
      role?: string
      value?: string
      masked?: boolean
      checked?: boolean
      control?: string
      time: number
    }>
  }
  /** Turn the captured events into an action file. */
  WR_recorder_save: {
    params: {
      /** Action file to write. */
      output_path: string
      /** Also write the raw events here. */
      raw_events_path?: (string | null)
    }
    /** the given path */
    result: string
  }
}
