// Generated from stdlib/browser/playwright/pw-service-worker/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Make requests skip service workers. */
  WR_pw_sw_bypass: {
    params: {
      /** true skips service workers, false restores them. */
      bypass: boolean
    }
    result: null | undefined | void
  }
  /** Delete all caches of the current site. */
  WR_pw_sw_clear_caches: {
    params: {}
    /** names of the deleted caches */
    result: ReadonlyArray<string>
  }
  /** Unregister all service workers of the current site. */
  WR_pw_sw_unregister: {
    params: {}
    /** one flag per registration */
    result: ReadonlyArray<boolean>
  }
}
