// Generated from stdlib/api/core/request/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Send one HTTP request, check the response and record it. */
  AT_test_api_method: {
    params: {
      /** HTTP verb, or session_ plus a verb to reuse the shared session. */
      http_method: string
      /** Absolute http or https URL. */
      test_url: string
      /** Send the body as SOAP (Content-Type application/soap+xml). */
      soap: boolean
      /** Store the result in the records when the request succeeds. */
      record_request_info: boolean
      /** Empty the global records before this request is stored. */
      clean_record: boolean
      /** Expected response fields; status_code is the usual one. */
      result_check_dict: {
        status_code?: number
      } | null
      /** Check TLS certificates, or the path of a CA bundle. */
      verify: (boolean | string)
      /** Time limit in seconds. */
      timeout: number
      /** Follow redirects. */
      allow_redirects: boolean
      /** Query parameters added to the URL. */
      params: ({
        [k: string]: string | number | boolean | null | ReadonlyArray<unknown>
      } | string | null)
      /** Request headers. */
      headers: {
        [k: string]: string
      } | null
      /** Cookies sent with the request. */
      cookies: {
        [k: string]: string
      } | null
      /** Body sent as JSON; sets Content-Type to application/json. */
      json?: unknown
      /** Raw body text, or an object sent as form fields. */
      data: (string | {
        [k: string]: unknown
      } | null)
      /**
       * User name and password for basic authentication.
       *
       * @minItems 2
       * @maxItems 2
       */
      auth: ([string, string] | null)
      /** Client certificate: one file, or certificate path and key path. */
      cert: (null | string | ReadonlyArray<string>)
      /** Proxy URL per URL scheme. */
      proxies: {
        [k: string]: string
      } | null
    }
    /** the native response and its recorded fields, or null when the request failed */
    result: ({
      response: unknown
      response_data: {
        status_code?: number
        text?: string
        content?: string
        headers?: {
          [k: string]: string
        }
        history?: ReadonlyArray<unknown>
        encoding?: (string | null)
        cookies?: {
          [k: string]: string
        }
        elapsed?: number
        request_time_sec?: number
        request_method?: string
        request_url?: string
        request_body?: (string | {
          [k: string]: unknown
        } | null)
        start_time?: string
        end_time?: string
        json?: unknown
      }
    } | null)
  }
  /** Send one HTTP request with the second client, check it and record it. */
  AT_test_api_method_httpx: {
    params: {
      /** HTTP verb. */
      http_method: string
      /** Absolute http or https URL. */
      test_url: string
      /** Store the result in the records when the request succeeds. */
      record_request_info: boolean
      /** Empty the global records before this request is stored. */
      clean_record: boolean
      /** Expected response fields; status_code is the usual one. */
      result_check_dict: {
        status_code?: number
      } | null
      /** Check TLS certificates, or the path of a CA bundle. */
      verify: (boolean | string)
      /** Time limit in seconds. */
      timeout: number
      /** Follow redirects. */
      allow_redirects: boolean
      /** Offer HTTP/2 to the server. */
      http2: boolean
      /** Query parameters added to the URL. */
      params: ({
        [k: string]: string | number | boolean | null | ReadonlyArray<unknown>
      } | string | null)
      /** Request headers. */
      headers: {
        [k: string]: string
      } | null
      /** Cookies sent with the request. */
      cookies: {
        [k: string]: string
      } | null
      /** Body sent as JSON; sets Content-Type to application/json. */
      json?: unknown
      /** Raw body text, or an object sent as form fields. */
      data: (string | {
        [k: string]: unknown
      } | null)
      /**
       * User name and password for basic authentication.
       *
       * @minItems 2
       * @maxItems 2
       */
      auth: ([string, string] | null)
      /** Client certificate: one file, or certificate path and key path. */
      cert: (null | string | ReadonlyArray<string>)
      /** Proxy URL per URL scheme. */
      proxies: {
        [k: string]: string
      } | null
    }
    /** the native response and its recorded fields, or null when the request failed */
    result: ({
      response: unknown
      response_data: {
        status_code?: number
        text?: string
        content?: string
        headers?: {
          [k: string]: string
        }
        history?: ReadonlyArray<unknown>
        encoding?: (string | null)
        cookies?: {
          [k: string]: string
        }
        elapsed?: number
        request_time_sec?: number
        request_method?: string
        request_url?: string
        request_body?: (string | {
          [k: string]: unknown
        } | null)
        start_time?: string
        end_time?: string
        json?: unknown
      }
    } | null)
  }
  /** Send one request with the asynchronous second client and wait for it. */
  AT_delegate_async_httpx: {
    params: {
      /** HTTP verb. */
      http_method: string
      /** Absolute http or https URL. */
      test_url: string
      /** Store the result in the records when the request succeeds. */
      record_request_info: boolean
      /** Empty the global records before this request is stored. */
      clean_record: boolean
      /** Expected response fields; status_code is the usual one. */
      result_check_dict: {
        status_code?: number
      } | null
      /** Time limit in seconds for the whole exchange. */
      timeout: number
      /** Offer HTTP/2 to the server. */
      http2: boolean
      /** Check TLS certificates, or the path of a CA bundle. */
      verify: (boolean | string)
      /** Follow redirects. */
      allow_redirects: boolean
      /** Query parameters added to the URL. */
      params: ({
        [k: string]: string | number | boolean | null | ReadonlyArray<unknown>
      } | string | null)
      /** Request headers. */
      headers: {
        [k: string]: string
      } | null
      /** Cookies sent with the request. */
      cookies: {
        [k: string]: string
      } | null
      /** Body sent as JSON; sets Content-Type to application/json. */
      json?: unknown
      /** Raw body text, or an object sent as form fields. */
      data: (string | {
        [k: string]: unknown
      } | null)
      /**
       * User name and password for basic authentication.
       *
       * @minItems 2
       * @maxItems 2
       */
      auth: ([string, string] | null)
      /** Client certificate: one file, or certificate path and key path. */
      cert: (null | string | ReadonlyArray<string>)
      /** Proxy URL per URL scheme. */
      proxies: {
        [k: string]: string
      } | null
    }
    /** the native response and its recorded fields, or null when the request failed */
    result: ({
      response: unknown
      response_data: {
        status_code?: number
        text?: string
        content?: string
        headers?: {
          [k: string]: string
        }
        history?: ReadonlyArray<unknown>
        encoding?: (string | null)
        cookies?: {
          [k: string]: string
        }
        elapsed?: number
        request_time_sec?: number
        request_method?: string
        request_url?: string
        request_body?: (string | {
          [k: string]: unknown
        } | null)
        start_time?: string
        end_time?: string
        json?: unknown
      }
    } | null)
  }
  /** Connect to a WebSocket, send frames and collect the replies. */
  AT_test_api_method_websocket: {
    params: {
      /** Address with scheme ws or wss. */
      url: string
      /** Text frames to send, in order. */
      messages: (ReadonlyArray<string> | null)
      /** Number of frames to wait for before closing. */
      expected_replies: number
      /** Limit in seconds for connecting and for each frame. */
      timeout: number
      /** Store the exchange in the success records. */
      record_request_info: boolean
    }
    /** what was sent and received, with both times */
    result: {
      url: string
      messages_sent: ReadonlyArray<string>
      messages_received: ReadonlyArray<string>
      start_time: string
      end_time: string
    }
  }
  /** Open a server-sent event stream and collect a number of events. */
  AT_test_api_method_sse: {
    params: {
      /** Absolute URL of the stream. */
      url: string
      /** Stop after this many events. */
      max_events: number
      /** Limit in seconds for connecting and for silence on the stream. */
      timeout: number
      /** Extra request headers; they win over the Accept header set here. */
      headers: {
        [k: string]: string
      } | null
      /** Store the events in the success records. */
      record_request_info: boolean
    }
    /** the collected events, with both times */
    result: {
      url: string
      events: ReadonlyArray<{
        data: string
        event?: string
        id?: string
      }>
      start_time: string
      end_time: string
    }
  }
  /** Send a GraphQL query as a POST and record the response. */
  AT_test_api_method_graphql: {
    params: {
      /** GraphQL endpoint. */
      url: string
      /** Query or mutation text. */
      query: string
      /** Variable values by name. */
      variables: {
        [k: string]: unknown
      } | null
      /** Operation to run when the text holds several. */
      operation_name: (string | null)
      /** Request headers; a JSON content type when left out. */
      headers: {
        [k: string]: string
      } | null
      /** Time limit in seconds. */
      timeout: number
      /** Store the result in the records when the request succeeds. */
      record_request_info: boolean
      /** Empty the global records before this request is stored. */
      clean_record: boolean
      /** Expected response fields, as in AT_test_api_method. */
      result_check_dict: {
        status_code?: number
      } | null
      /** Check TLS certificates, or the path of a CA bundle. */
      verify: (boolean | string)
    }
    /** the native response and its recorded fields, or null when the request failed */
    result: ({
      response: unknown
      response_data: {
        status_code?: number
        text?: string
        content?: string
        headers?: {
          [k: string]: string
        }
        history?: ReadonlyArray<unknown>
        encoding?: (string | null)
        cookies?: {
          [k: string]: string
        }
        elapsed?: number
        request_time_sec?: number
        request_method?: string
        request_url?: string
        request_body?: (string | {
          [k: string]: unknown
        } | null)
        start_time?: string
        end_time?: string
        json?: unknown
      }
    } | null)
  }
}
