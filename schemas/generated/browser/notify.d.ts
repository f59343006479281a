// Generated from stdlib/browser/reporting/notify/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Send the outcome of a run to a chat webhook. */
  WR_notify_chat: {
    params: {
      /** Webhook address. */
      webhook_url: string
      /** Summary; default is the one of this run. */
      summary: ({
        total: number
        passed: number
        failed: number
        failures: ReadonlyArray<{
          function_name?: (string | null)
          exception?: (string | null)
        }>
      } | null)
      /** First line of the message. */
      header: string
    }
    /** HTTP status. */
    result: number
  }
  /** Post any JSON object to a webhook. */
  WR_notify_webhook: {
    params: {
      /** Webhook address. */
      url: string
      /** Body to send. */
      payload: {
        [k: string]: unknown
      }
      /** Limit in seconds. */
      timeout: number
      /** Extra headers. */
      headers: {
        [k: string]: string
      } | null
    }
    /** HTTP status. */
    result: number
  }
  /** Send the outcome of this run to a chat webhook. */
  WR_notify_run_summary: {
    params: {
      /** Webhook address. */
      webhook_url: string
      /** First line of the message. */
      header: string
    }
    /** HTTP status. */
    result: number
  }
  /** Count passed and failed steps of this run. */
  WR_summarise_run: {
    params: {}
    /** Counts and failures. */
    result: {
      total: number
      passed: number
      failed: number
      failures: ReadonlyArray<{
        function_name?: (string | null)
        exception?: (string | null)
      }>
    }
  }
}
