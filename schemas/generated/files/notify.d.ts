// Generated from stdlib/files/reporting/notify/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Send a message to all notification sinks. */
  FA_notify_send: {
    params: {
      /** Subject line. */
      subject: string
      /** Message text. */
      body: string
      /** Importance. */
      level: ("info" | "warning" | "error")
    }
    /** per sink name: sent, dedup, or an error text */
    result: {
      [k: string]: string
    }
  }
  /** Describe the registered notification sinks. */
  FA_notify_list: {
    params: {}
    /** name, type and harmless details */
    result: ReadonlyArray<{
      name: string
      type: string
      [k: string]: unknown
    }>
  }
  /** Register a notification sink. */
  FA_notify_register: {
    params: {
      /** Sink type; slack is an older word for chat. */
      type: ("webhook" | "chat" | "slack" | "email" | "telegram" | "discord" | "teams" | "pagerduty")
      /** Sink name; the type when left out. */
      name: (string | null)
      /** Fields of that sink type, see the notes. */
      options: {
        [k: string]: unknown
      }
    }
    /** description of the sink */
    result: {
      name: string
      type: string
    }
  }
  /** Remove one notification sink. */
  FA_notify_unregister: {
    params: {
      /** Sink name. */
      name: string
    }
    /** true when it existed */
    result: boolean
  }
  /** Remove all notification sinks. */
  FA_notify_unregister_all: {
    params: {}
    /** number removed */
    result: number
  }
  /** Set the window in which equal messages are suppressed. */
  FA_notify_configure: {
    params: {
      /** Window in seconds; 0 switches suppression off. */
      dedup_seconds: number
    }
    result: null | undefined | void
  }
}
