// Generated from stdlib/browser/webdriver/context-switch/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Move the focus to a frame, window, alert or the active element. */
  WR_switch: {
    params: {
      /** Target of the switch; letter case is ignored. */
      switch_type: ("active_element" | "default_content" | "frame" | "parent_frame" | "window" | "alert" | "ACTIVE_ELEMENT" | "DEFAULT_CONTENT" | "FRAME" | "PARENT_FRAME" | "WINDOW" | "ALERT")
      /** Frame name or id, or window handle or name; needed for frame and window. */
      switch_target_name?: (string | null)
    }
    /** element for active_element, alert for alert, otherwise nothing */
    result: unknown
  }
  /** Return the focus to the top page. */
  WR_iframe_back_to_default: {
    params: {}
    result: null | undefined | void
  }
  /** Walk down nested frames, one CSS selector per level. */
  WR_iframe_switch_chain: {
    params: {
      /** CSS selectors from the outermost frame inwards. */
      selectors: ReadonlyArray<string>
    }
    result: null | undefined | void
  }
}
