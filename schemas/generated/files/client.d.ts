// Generated from stdlib/files/servers/client/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Ask whether an HTTP action server is there. */
  FA_client_ping: {
    params: {
      /** Server address; trailing slashes are dropped. */
      base_url: string
      /** Secret every request must present. */
      shared_secret: (string | null)
      /** Time limit in seconds. */
      timeout: number
      /** Refuse hosts that are not loopback. */
      verify_loopback: boolean
    }
    /** true when it answers */
    result: boolean
  }
  /** Run an action list on another HTTP action server. */
  FA_client_execute: {
    params: {
      /** Server address; trailing slashes are dropped. */
      base_url: string
      /** Action list. */
      actions: (ReadonlyArray<unknown> | {
        [k: string]: unknown
      } | string)
      /** Secret every request must present. */
      shared_secret: (string | null)
      /** Time limit in seconds. */
      timeout: number
      /** Refuse hosts that are not loopback. */
      verify_loopback: boolean
    }
    /** decoded answer of the server */
    result: unknown
  }
}
