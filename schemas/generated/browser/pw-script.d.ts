// Generated from stdlib/browser/playwright/pw-script/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Evaluate script text in the page. */
  WR_pw_evaluate: {
    params: {
      /** Expression, or text of a function. */
      expression: string
      /** Single argument for the function. */
      arg?: unknown
    }
    /** JSON-like result; promises are awaited */
    result: unknown
  }
}
