// Generated from stdlib/browser/playwright/pw-healing/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Find an element, trying fallback locators when the first fails. */
  WR_pw_find_with_healing: {
    params: {
      /** Name of the test object and of its fallbacks. */
      name: string
    }
    /** the first element that matched */
    result: {
      [k: string]: unknown
    }
  }
}
