// Generated from stdlib/api/reports/notify/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Post a summary to the incoming webhook of a chat service. */
  AT_notify_via_webhook: {
    params: {
      /** Webhook address. */
      webhook_url: string
      /** Markdown text. */
      summary: string
      /** Kind of chat service, which decides the payload. */
      platform: ("chat" | "chat2" | "chat3")
      /** Time limit in seconds. */
      timeout: number
      /** Older programs gave a network client here; in tests a mock of the file answers. */
      transport: null
    }
    /** status code of the webhook */
    result: number
  }
  /** Add the run summary to a pull request as a comment. */
  AT_post_pr_comment: {
    params: {
      /** Repository as owner/name. */
      repo: string
      /** Pull request number. */
      pr_number: number
      /** Access token. */
      token: string
      /** Comment text; the Markdown report in a folded block when left out. */
      body: (string | null)
      /** Time limit in seconds. */
      timeout: number
      /** Older programs gave a network client here; in tests a mock of the file answers. */
      transport: null
      /** Base URL of the code host's API; its public one when left out. */
      api_base_url: (string | null)
      /** Replace the comment that an earlier run has left. */
      update: boolean
    }
    /** status code of the code host */
    result: number
  }
}
