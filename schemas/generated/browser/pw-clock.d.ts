// Generated from stdlib/browser/playwright/pw-clock/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Replace the clock of the pages by a controllable one. */
  WR_pw_clock_install: {
    params: {
      /** Start time in milliseconds since 1970; null uses now. */
      fake_now_ms?: (number | null)
    }
    result: null | undefined | void
  }
  /** Advance the fake clock and fire due timers. */
  WR_pw_clock_run_for: {
    params: {
      /** Milliseconds to advance. */
      duration_ms: number
    }
    result: null | undefined | void
  }
  /** Freeze the date that pages see. */
  WR_pw_clock_set_time: {
    params: {
      /** Milliseconds since 1970. */
      time_ms: number
    }
    result: null | undefined | void
  }
}
