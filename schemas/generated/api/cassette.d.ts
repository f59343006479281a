// Generated from stdlib/api/core/cassette/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Look up a recorded request on a tape file. */
  AT_cassette_lookup: {
    params: {
      /** Tape file. */
      file_path: string
      /** HTTP verb. */
      method: string
      /** Full URL. */
      url: string
      /** Request body text. */
      body: string
    }
    /** the recorded pair, or an empty object */
    result: ({
      method: string
      url: string
      request_body: string
      response_status: number
      response_body: string
      response_headers: {
        [k: string]: string
      }
    } | {
      [k: string]: unknown
    })
  }
  /** Put a request and its response on a tape file. */
  AT_cassette_record: {
    params: {
      /** Tape file. */
      file_path: string
      /** HTTP verb. */
      method: string
      /** Full URL. */
      url: string
      /** Request body text. */
      request_body: string
      /** Status code. */
      response_status: number
      /** Response body text. */
      response_body: string
      /** Response headers. */
      response_headers: {
        [k: string]: string
      } | null
    }
    result: null | undefined | void
  }
}
