// Generated from stdlib/browser/data/http/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Send an HTTP request. */
  WR_http_request: {
    params: {
      /** HTTP method, any letter case. */
      method: string
      /** Address. */
      url: string
      /** Limit in seconds. */
      timeout: number
      /** Request headers. */
      headers?: {
        [k: string]: string
      } | null
      /** Query parameters; a list repeats the name. */
      params?: {
        [k: string]: unknown
      } | null
      /** Value sent as JSON. */
      json_body?: unknown
      /** Raw text, or form fields. */
      data?: (string | {
        [k: string]: unknown
      } | ReadonlyArray<unknown> | null)
      /** Extra keywords: cookies, auth, files, allow_redirects, proxies and so on. */
      request_kwargs?: {
        [k: string]: unknown
      }
    }
    /** summary of the response */
    result: {
      status_code: number
      headers: {
        [k: string]: string
      }
      elapsed_ms: number
      text: string
      json: unknown
    }
  }
  /** Send an HTTP GET request. */
  WR_http_get: {
    params: {
      /** Address. */
      url: string
      /** Limit in seconds. */
      timeout: number
      /** Request headers. */
      headers?: {
        [k: string]: string
      } | null
      /** Query parameters; a list repeats the name. */
      params?: {
        [k: string]: unknown
      } | null
      /** Value sent as JSON. */
      json_body?: unknown
      /** Raw text, or form fields. */
      data?: (string | {
        [k: string]: unknown
      } | ReadonlyArray<unknown> | null)
      /** Extra keywords: cookies, auth, files, allow_redirects, proxies and so on. */
      request_kwargs?: {
        [k: string]: unknown
      }
    }
    /** summary of the response */
    result: {
      status_code: number
      headers: {
        [k: string]: string
      }
      elapsed_ms: number
      text: string
      json: unknown
    }
  }
  /** Send an HTTP POST request. */
  WR_http_post: {
    params: {
      /** Address. */
      url: string
      /** Limit in seconds. */
      timeout: number
      /** Request headers. */
      headers?: {
        [k: string]: string
      } | null
      /** Query parameters; a list repeats the name. */
      params?: {
        [k: string]: unknown
      } | null
      /** Value sent as JSON. */
      json_body?: unknown
      /** Raw text, or form fields. */
      data?: (string | {
        [k: string]: unknown
      } | ReadonlyArray<unknown> | null)
      /** Extra keywords: cookies, auth, files, allow_redirects, proxies and so on. */
      request_kwargs?: {
        [k: string]: unknown
      }
    }
    /** summary of the response */
    result: {
      status_code: number
      headers: {
        [k: string]: string
      }
      elapsed_ms: number
      text: string
      json: unknown
    }
  }
  /** Send an HTTP PUT request. */
  WR_http_put: {
    params: {
      /** Address. */
      url: string
      /** Limit in seconds. */
      timeout: number
      /** Request headers. */
      headers?: {
        [k: string]: string
      } | null
      /** Query parameters; a list repeats the name. */
      params?: {
        [k: string]: unknown
      } | null
      /** Value sent as JSON. */
      json_body?: unknown
      /** Raw text, or form fields. */
      data?: (string | {
        [k: string]: unknown
      } | ReadonlyArray<unknown> | null)
      /** Extra keywords: cookies, auth, files, allow_redirects, proxies and so on. */
      request_kwargs?: {
        [k: string]: unknown
      }
    }
    /** summary of the response */
    result: {
      status_code: number
      headers: {
        [k: string]: string
      }
      elapsed_ms: number
      text: string
      json: unknown
    }
  }
  /** Send an HTTP PATCH request. */
  WR_http_patch: {
    params: {
      /** Address. */
      url: string
      /** Limit in seconds. */
      timeout: number
      /** Request headers. */
      headers?: {
        [k: string]: string
      } | null
      /** Query parameters; a list repeats the name. */
      params?: {
        [k: string]: unknown
      } | null
      /** Value sent as JSON. */
      json_body?: unknown
      /** Raw text, or form fields. */
      data?: (string | {
        [k: string]: unknown
      } | ReadonlyArray<unknown> | null)
      /** Extra keywords: cookies, auth, files, allow_redirects, proxies and so on. */
      request_kwargs?: {
        [k: string]: unknown
      }
    }
    /** summary of the response */
    result: {
      status_code: number
      headers: {
        [k: string]: string
      }
      elapsed_ms: number
      text: string
      json: unknown
    }
  }
  /** Send an HTTP DELETE request. */
  WR_http_delete: {
    params: {
      /** Address. */
      url: string
      /** Limit in seconds. */
      timeout: number
      /** Request headers. */
      headers?: {
        [k: string]: string
      } | null
      /** Query parameters; a list repeats the name. */
      params?: {
        [k: string]: unknown
      } | null
      /** Value sent as JSON. */
      json_body?: unknown
      /** Raw text, or form fields. */
      data?: (string | {
        [k: string]: unknown
      } | ReadonlyArray<unknown> | null)
      /** Extra keywords: cookies, auth, files, allow_redirects, proxies and so on. */
      request_kwargs?: {
        [k: string]: unknown
      }
    }
    /** summary of the response */
    result: {
      status_code: number
      headers: {
        [k: string]: string
      }
      elapsed_ms: number
      text: string
      json: unknown
    }
  }
  /** Fail when the last response has another status. */
  WR_http_assert_status: {
    params: {
      /** Expected status code. */
      expected: number
    }
    result: null | undefined | void
  }
  /** Fail when a field of the last JSON response differs. */
  WR_http_assert_json_contains: {
    params: {
      /** Field at the top level. */
      key: string
      /** Expected value. */
      expected: unknown
    }
    result: null | undefined | void
  }
}
