// Generated from stdlib/browser/playwright/pw-frames/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Go into a nested frame. */
  WR_pw_frame_locator_chain: {
    params: {
      /** Selectors of the frames from the outside in. */
      selectors: ReadonlyArray<string>
    }
    /** handle of the frame */
    result: {
      [k: string]: unknown
    }
  }
  /** Find an element inside nested open shadow roots. */
  WR_pw_shadow_query: {
    params: {
      /** Selectors of the hosts, outermost first. */
      host_chain: ReadonlyArray<string>
      /** Selector inside the deepest root. */
      inner_selector: string
    }
    /** the element, or null */
    result: {
      [k: string]: unknown
    } | null
  }
  /** Join shadow hosts and an inner selector into one selector. */
  WR_pw_shadow_selector: {
    params: {
      /** Selectors of the hosts, outermost first. */
      host_chain: ReadonlyArray<string>
      /** Selector inside the deepest root. */
      inner_selector: string
    }
    /** combined selector */
    result: string
  }
}
