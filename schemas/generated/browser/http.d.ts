// Generated from stdlib/browser/data/http/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Send an HTTP request. */
  WR_http_request: {
    params: {
      /** HTTP method, any letter case. */
      method: string
      /** Address. */
      url: string
      /** Limit in seconds, redirects and body included. */
      timeout: number
      /** Request headers. */
      headers: {
        [k: string]: string
      } | null
      /** Query parameters; a list repeats the name, null leaves it out. */
      params: {
        [k: string]: string | number | boolean | null | ReadonlyArray<unknown>
      } | null
      /** Value sent as JSON; `data` wins over it. */
      json_body?: unknown
      /** Raw text, or form fields by name or as a list of pairs. */
      data: (null | string | {
        [k: string]: string | number | boolean | ReadonlyArray<unknown>
      } | ReadonlyArray<[string, (string | number | boolean)]>)
      /** Rarer settings: redirects, login, cookies, files, proxies. */
      request_kwargs: {
        /** Path of a local file that is sent as the body, in place of `data` and `json_body`. */
        body_file?: string
        /** Follow redirects (default true). */
        allow_redirects?: boolean
        /** User name and password for basic authentication. */
        auth?: ReadonlyArray<string>
        /** PEM file with a client certificate and its key. */
        cert?: string
        cookies?: {
          [k: string]: string
        }
        /** Field name to path of a local file: sent as a form of several parts, with the fields of `data`. */
        files?: {
          [k: string]: string
        }
        /** Proxy URL per URL scheme; {} uses none. */
        proxies?: {
          [k: string]: string
        }
        /** Keep and send the cookies of this file. */
        session?: boolean
        /** Path of a bundle or folder of trusted authorities; checks cannot be switched off. */
        verify?: string
      }
    }
    /** Summary of the answer; whole it is the variable `last_response`. */
    result: {
      status_code: number
      /** Names in lower case; several values of one name are joined by comma and space. */
      headers: {
        [k: string]: string
      }
      /** Until the headers arrived, in whole milliseconds. */
      elapsed_ms: number
      text: string
      /** The parsed body whatever its media type, or null where it is no JSON. */
      json: unknown
    }
  }
  /** Send an HTTP GET request. */
  WR_http_get: {
    params: {
      /** Address. */
      url: string
      /** Limit in seconds, redirects and body included. */
      timeout: number
      /** Request headers. */
      headers: {
        [k: string]: string
      } | null
      /** Query parameters; a list repeats the name, null leaves it out. */
      params: {
        [k: string]: string | number | boolean | null | ReadonlyArray<unknown>
      } | null
      /** Value sent as JSON; `data` wins over it. */
      json_body?: unknown
      /** Raw text, or form fields by name or as a list of pairs. */
      data: (null | string | {
        [k: string]: string | number | boolean | ReadonlyArray<unknown>
      } | ReadonlyArray<[string, (string | number | boolean)]>)
      /** Rarer settings: redirects, login, cookies, files, proxies. */
      request_kwargs: {
        /** Path of a local file that is sent as the body, in place of `data` and `json_body`. */
        body_file?: string
        /** Follow redirects (default true). */
        allow_redirects?: boolean
        /** User name and password for basic authentication. */
        auth?: ReadonlyArray<string>
        /** PEM file with a client certificate and its key. */
        cert?: string
        cookies?: {
          [k: string]: string
        }
        /** Field name to path of a local file: sent as a form of several parts, with the fields of `data`. */
        files?: {
          [k: string]: string
        }
        /** Proxy URL per URL scheme; {} uses none. */
        proxies?: {
          [k: string]: string
        }
        /** Keep and send the cookies of this file. */
        session?: boolean
        /** Path of a bundle or folder of trusted authorities; checks cannot be switched off. */
        verify?: string
      }
    }
    /** Summary of the answer; whole it is the variable `last_response`. */
    result: {
      status_code: number
      /** Names in lower case; several values of one name are joined by comma and space. */
      headers: {
        [k: string]: string
      }
      /** Until the headers arrived, in whole milliseconds. */
      elapsed_ms: number
      text: string
      /** The parsed body whatever its media type, or null where it is no JSON. */
      json: unknown
    }
  }
  /** Send an HTTP POST request. */
  WR_http_post: {
    params: {
      /** Address. */
      url: string
      /** Limit in seconds, redirects and body included. */
      timeout: number
      /** Request headers. */
      headers: {
        [k: string]: string
      } | null
      /** Query parameters; a list repeats the name, null leaves it out. */
      params: {
        [k: string]: string | number | boolean | null | ReadonlyArray<unknown>
      } | null
      /** Value sent as JSON; `data` wins over it. */
      json_body?: unknown
      /** Raw text, or form fields by name or as a list of pairs. */
      data: (null | string | {
        [k: string]: string | number | boolean | ReadonlyArray<unknown>
      } | ReadonlyArray<[string, (string | number | boolean)]>)
      /** Rarer settings: redirects, login, cookies, files, proxies. */
      request_kwargs: {
        /** Path of a local file that is sent as the body, in place of `data` and `json_body`. */
        body_file?: string
        /** Follow redirects (default true). */
        allow_redirects?: boolean
        /** User name and password for basic authentication. */
        auth?: ReadonlyArray<string>
        /** PEM file with a client certificate and its key. */
        cert?: string
        cookies?: {
          [k: string]: string
        }
        /** Field name to path of a local file: sent as a form of several parts, with the fields of `data`. */
        files?: {
          [k: string]: string
        }
        /** Proxy URL per URL scheme; {} uses none. */
        proxies?: {
          [k: string]: string
        }
        /** Keep and send the cookies of this file. */
        session?: boolean
        /** Path of a bundle or folder of trusted authorities; checks cannot be switched off. */
        verify?: string
      }
    }
    /** Summary of the answer; whole it is the variable `last_response`. */
    result: {
      status_code: number
      /** Names in lower case; several values of one name are joined by comma and space. */
      headers: {
        [k: string]: string
      }
      /** Until the headers arrived, in whole milliseconds. */
      elapsed_ms: number
      text: string
      /** The parsed body whatever its media type, or null where it is no JSON. */
      json: unknown
    }
  }
  /** Send an HTTP PUT request. */
  WR_http_put: {
    params: {
      /** Address. */
      url: string
      /** Limit in seconds, redirects and body included. */
      timeout: number
      /** Request headers. */
      headers: {
        [k: string]: string
      } | null
      /** Query parameters; a list repeats the name, null leaves it out. */
      params: {
        [k: string]: string | number | boolean | null | ReadonlyArray<unknown>
      } | null
      /** Value sent as JSON; `data` wins over it. */
      json_body?: unknown
      /** Raw text, or form fields by name or as a list of pairs. */
      data: (null | string | {
        [k: string]: string | number | boolean | ReadonlyArray<unknown>
      } | ReadonlyArray<[string, (string | number | boolean)]>)
      /** Rarer settings: redirects, login, cookies, files, proxies. */
      request_kwargs: {
        /** Path of a local file that is sent as the body, in place of `data` and `json_body`. */
        body_file?: string
        /** Follow redirects (default true). */
        allow_redirects?: boolean
        /** User name and password for basic authentication. */
        auth?: ReadonlyArray<string>
        /** PEM file with a client certificate and its key. */
        cert?: string
        cookies?: {
          [k: string]: string
        }
        /** Field name to path of a local file: sent as a form of several parts, with the fields of `data`. */
        files?: {
          [k: string]: string
        }
        /** Proxy URL per URL scheme; {} uses none. */
        proxies?: {
          [k: string]: string
        }
        /** Keep and send the cookies of this file. */
        session?: boolean
        /** Path of a bundle or folder of trusted authorities; checks cannot be switched off. */
        verify?: string
      }
    }
    /** Summary of the answer; whole it is the variable `last_response`. */
    result: {
      status_code: number
      /** Names in lower case; several values of one name are joined by comma and space. */
      headers: {
        [k: string]: string
      }
      /** Until the headers arrived, in whole milliseconds. */
      elapsed_ms: number
      text: string
      /** The parsed body whatever its media type, or null where it is no JSON. */
      json: unknown
    }
  }
  /** Send an HTTP PATCH request. */
  WR_http_patch: {
    params: {
      /** Address. */
      url: string
      /** Limit in seconds, redirects and body included. */
      timeout: number
      /** Request headers. */
      headers: {
        [k: string]: string
      } | null
      /** Query parameters; a list repeats the name, null leaves it out. */
      params: {
        [k: string]: string | number | boolean | null | ReadonlyArray<unknown>
      } | null
      /** Value sent as JSON; `data` wins over it. */
      json_body?: unknown
      /** Raw text, or form fields by name or as a list of pairs. */
      data: (null | string | {
        [k: string]: string | number | boolean | ReadonlyArray<unknown>
      } | ReadonlyArray<[string, (string | number | boolean)]>)
      /** Rarer settings: redirects, login, cookies, files, proxies. */
      request_kwargs: {
        /** Path of a local file that is sent as the body, in place of `data` and `json_body`. */
        body_file?: string
        /** Follow redirects (default true). */
        allow_redirects?: boolean
        /** User name and password for basic authentication. */
        auth?: ReadonlyArray<string>
        /** PEM file with a client certificate and its key. */
        cert?: string
        cookies?: {
          [k: string]: string
        }
        /** Field name to path of a local file: sent as a form of several parts, with the fields of `data`. */
        files?: {
          [k: string]: string
        }
        /** Proxy URL per URL scheme; {} uses none. */
        proxies?: {
          [k: string]: string
        }
        /** Keep and send the cookies of this file. */
        session?: boolean
        /** Path of a bundle or folder of trusted authorities; checks cannot be switched off. */
        verify?: string
      }
    }
    /** Summary of the answer; whole it is the variable `last_response`. */
    result: {
      status_code: number
      /** Names in lower case; several values of one name are joined by comma and space. */
      headers: {
        [k: string]: string
      }
      /** Until the headers arrived, in whole milliseconds. */
      elapsed_ms: number
      text: string
      /** The parsed body whatever its media type, or null where it is no JSON. */
      json: unknown
    }
  }
  /** Send an HTTP DELETE request. */
  WR_http_delete: {
    params: {
      /** Address. */
      url: string
      /** Limit in seconds, redirects and body included. */
      timeout: number
      /** Request headers. */
      headers: {
        [k: string]: string
      } | null
      /** Query parameters; a list repeats the name, null leaves it out. */
      params: {
        [k: string]: string | number | boolean | null | ReadonlyArray<unknown>
      } | null
      /** Value sent as JSON; `data` wins over it. */
      json_body?: unknown
      /** Raw text, or form fields by name or as a list of pairs. */
      data: (null | string | {
        [k: string]: string | number | boolean | ReadonlyArray<unknown>
      } | ReadonlyArray<[string, (string | number | boolean)]>)
      /** Rarer settings: redirects, login, cookies, files, proxies. */
      request_kwargs: {
        /** Path of a local file that is sent as the body, in place of `data` and `json_body`. */
        body_file?: string
        /** Follow redirects (default true). */
        allow_redirects?: boolean
        /** User name and password for basic authentication. */
        auth?: ReadonlyArray<string>
        /** PEM file with a client certificate and its key. */
        cert?: string
        cookies?: {
          [k: string]: string
        }
        /** Field name to path of a local file: sent as a form of several parts, with the fields of `data`. */
        files?: {
          [k: string]: string
        }
        /** Proxy URL per URL scheme; {} uses none. */
        proxies?: {
          [k: string]: string
        }
        /** Keep and send the cookies of this file. */
        session?: boolean
        /** Path of a bundle or folder of trusted authorities; checks cannot be switched off. */
        verify?: string
      }
    }
    /** Summary of the answer; whole it is the variable `last_response`. */
    result: {
      status_code: number
      /** Names in lower case; several values of one name are joined by comma and space. */
      headers: {
        [k: string]: string
      }
      /** Until the headers arrived, in whole milliseconds. */
      elapsed_ms: number
      text: string
      /** The parsed body whatever its media type, or null where it is no JSON. */
      json: unknown
    }
  }
  /** Fail when the last response has another status. */
  WR_http_assert_status: {
    params: {
      /** Expected status code, a class such as `2xx`, or a list of both. */
      expected: ((number | string) | ReadonlyArray<number | string>)
    }
    result: null | undefined | void
  }
  /** Fail when a field of the last JSON response differs. */
  WR_http_assert_json_contains: {
    params: {
      /** Field at the top level, or a JSON pointer such as `/items/0/id`. */
      key: string
      /** Expected value. */
      expected: unknown
    }
    result: null | undefined | void
  }
}
