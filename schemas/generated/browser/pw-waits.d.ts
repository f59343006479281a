// Generated from stdlib/browser/playwright/pw-waits/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Set the default limit for navigation. */
  WR_pw_set_default_navigation_timeout: {
    params: {
      /** Milliseconds; 0 means no limit. */
      timeout_ms: number
    }
    result: null | undefined | void
  }
  /** Set the default limit for actions. */
  WR_pw_set_default_timeout: {
    params: {
      /** Milliseconds; 0 means no limit. */
      timeout_ms: number
    }
    result: null | undefined | void
  }
  /** Wait until the page reaches a load state. */
  WR_pw_wait_for_load_state: {
    params: {
      /** Load state. */
      state: ("load" | "domcontentloaded" | "networkidle")
      /** Limit in milliseconds; null uses the default, 0 means none. */
      timeout?: (number | null)
    }
    result: null | undefined | void
  }
  /** Wait until an element reaches a state. */
  WR_pw_wait_for_selector: {
    params: {
      /** Selector: CSS, or `role=`, `label=`, `text=`, `xpath=` and so on. */
      selector: string
      /** Limit in milliseconds; null uses the default, 0 means none. */
      timeout?: (number | null)
      /** State to wait for. */
      state: ("attached" | "detached" | "visible" | "hidden")
    }
    /** the element, or null */
    result: {
      [k: string]: unknown
    } | null
  }
  /** Wait a fixed time. */
  WR_pw_wait_for_timeout: {
    params: {
      /** Milliseconds. */
      timeout_ms: number
    }
    result: null | undefined | void
  }
  /** Wait until the page address matches. */
  WR_pw_wait_for_url: {
    params: {
      /** Exact address or glob pattern. */
      url: string
      /** Limit in milliseconds; null uses the default, 0 means none. */
      timeout?: (number | null)
    }
    result: null | undefined | void
  }
}
