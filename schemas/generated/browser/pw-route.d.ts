// Generated from stdlib/browser/playwright/pw-route/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Remove all mocks of the current page. */
  WR_pw_route_clear: {
    params: {}
    result: null | undefined | void
  }
  /** Answer matching requests with a fixed response. */
  WR_pw_route_mock: {
    params: {
      /** Glob pattern of the addresses, such as `** /api/*`. */
      url_pattern: string
      /** Response to give. */
      response: {
        status?: number
        body?: string
        headers?: {
          [k: string]: string
        }
        content_type?: string
      }
    }
    result: null | undefined | void
  }
  /** Answer matching requests with a JSON value. */
  WR_pw_route_mock_json: {
    params: {
      /** Glob pattern of the addresses, such as `** /api/*`. */
      url_pattern: string
      /** Value to serialise. */
      json_data: unknown
      /** Status code. */
      status: number
    }
    result: null | undefined | void
  }
  /** Remove the mocks of one pattern. */
  WR_pw_route_unmock: {
    params: {
      /** Glob pattern of the addresses, such as `** /api/*`. */
      url_pattern: string
    }
    result: null | undefined | void
  }
}
