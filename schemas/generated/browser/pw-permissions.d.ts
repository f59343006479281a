// Generated from stdlib/browser/playwright/pw-permissions/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Take back all granted permissions. */
  WR_pw_clear_permissions: {
    params: {}
    result: null | undefined | void
  }
  /** Grant browser permissions. */
  WR_pw_grant_permissions: {
    params: {
      /** Permission names, such as geolocation or clipboard-read. */
      permissions: ReadonlyArray<string>
      /** Restrict the grant to this origin. */
      origin?: (string | null)
    }
    result: null | undefined | void
  }
}
