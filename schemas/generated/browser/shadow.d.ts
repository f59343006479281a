// Generated from stdlib/browser/webdriver/shadow/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Find an element inside nested open shadow roots. */
  WR_shadow_query: {
    params: {
      /** CSS selectors of the shadow hosts, outermost first. */
      host_chain: ReadonlyArray<string>
      /** CSS selector inside the deepest root. */
      inner_selector: string
    }
    /** the element, or null */
    result: {
      [k: string]: unknown
    } | null
  }
}
