// Generated from stdlib/browser/playwright/pw-events/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Fail when a buffered response has status 400 or more. */
  WR_pw_assert_no_4xx_or_5xx: {
    params: {}
    result: null | undefined | void
  }
  /** Fail when a buffered response has status 500 or more. */
  WR_pw_assert_no_5xx: {
    params: {}
    result: null | undefined | void
  }
  /** Fail when a console error was buffered. */
  WR_pw_assert_no_console_errors: {
    params: {}
    result: null | undefined | void
  }
  /** Read the buffered console messages. */
  WR_pw_console_messages: {
    params: {}
    /** messages in order of arrival */
    result: ReadonlyArray<{
      type: string
      text: string
      location?: unknown
    }>
  }
  /** Empty the buffers of console messages and responses. */
  WR_pw_event_capture_clear: {
    params: {}
    result: null | undefined | void
  }
  /** Start buffering console messages and responses of the current page. */
  WR_pw_event_capture_start: {
    params: {}
    result: null | undefined | void
  }
  /** Stop buffering console messages and responses. */
  WR_pw_event_capture_stop: {
    params: {}
    result: null | undefined | void
  }
  /** Read the buffered responses. */
  WR_pw_network_responses: {
    params: {}
    /** responses in order of arrival */
    result: ReadonlyArray<{
      url: string
      status: number
      method?: (string | null)
      ok: boolean
      error?: string
    }>
  }
}
