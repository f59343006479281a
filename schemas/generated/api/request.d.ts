// Generated from stdlib/api/core/request/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Send one HTTP request, check the response and record it. */
  AT_test_api_method: {
    params: {
      /** HTTP verb, or session_ plus a verb to use the session of this file. */
      http_method: string
      /** Absolute http or https URL, or one relative to meta.base_url. */
      test_url: string
      /** Send the body as SOAP (Content-Type application/soap+xml). */
      soap: boolean
      /** Keep the request in the records when it passes; a failed one is kept in any case. */
      record_request_info: boolean
      /** Older files cleared a record of the whole process with it; what AT_assert_sla judges stays. */
      clean_record: boolean
      /** Expected fields of the result; status_code is the usual one. */
      result_check_dict: {
        status_code?: number
      } | null
      /** Check TLS certificates, or the path of a bundle or folder of trusted ones. */
      verify: (boolean | string)
      /** Time limit in seconds for the whole exchange, redirects and body included. */
      timeout: number
      /** Follow redirects. */
      allow_redirects: boolean
      /** Query parameters added to the URL; a list repeats its name, null leaves it out. */
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
      /** Field name to path of a local file, or to an object that also says its media type and name: sent as a form of several parts, with the fields of `data`. */
      files: ({
        [k: string]: string | {
          /** Path of a local file. */
          path: string
          /** Media type of the part. */
          type?: string
          /** File name that is said; null: none. */
          name?: (string | null)
        } | {
          text: string
          /** Media type of the part. */
          type?: string
          /** File name that is said; null: none. */
          name?: (string | null)
        } | ReadonlyArray<(string | {
          /** Path of a local file. */
          path: string
          /** Media type of the part. */
          type?: string
          /** File name that is said; null: none. */
          name?: (string | null)
        } | {
          text: string
          /** Media type of the part. */
          type?: string
          /** File name that is said; null: none. */
          name?: (string | null)
        })>
      } | null)
      /** Path of a local file that is sent as the body. */
      body_file: (string | null)
      /**
       * User name and password, as `[ada, s3cret]`; a token goes into `headers`, as `Authorization: Bearer …`.
       *
       * @minItems 2
       * @maxItems 2
       */
      auth: ([string, string] | null)
      /** Send the login at once as basic does or answer the Digest challenge of the server with it. */
      auth_scheme: ("basic" | "digest")
      /** Client certificate: one PEM file, or certificate path and key path. */
      cert: (null | string | ReadonlyArray<string>)
      /** Proxy URL per URL scheme; {} uses none. */
      proxies: {
        [k: string]: string
      } | null
      /** Path of a Unix socket that is asked in place of host and port. */
      unix_socket: (string | null)
      /** Headers that follow a redirect to another origin. */
      redirect_headers: (ReadonlyArray<string> | null)
      /** Time limits in seconds by phase, named as in timings_ms; timeout bounds all of it. */
      phase_timeouts: {
        dns?: number
        connect?: number
        tls?: number
        first_byte?: number
      } | null
    }
    /** The recorded fields of the answer. */
    result: {
      status_code: number
      /** The text beside the status. */
      reason: string
      /** Names in lower case; several values of one name are joined by comma and space. */
      headers: {
        [k: string]: string
      }
      /** The body as text; empty where it is none. */
      text: string
      /** The parsed body of a JSON media type, else null. */
      json: unknown
      /** Reason why a body of a JSON media type could not be parsed. */
      json_error?: string
      /** The bytes of the body. */
      content?: string
      /** The charset that the text was read with. */
      encoding: (string | null)
      /** Those that this answer sets. */
      cookies: {
        [k: string]: string
      }
      /** The answers that redirected. */
      history: ReadonlyArray<{
        status_code: number
        request_method: string
        request_url: string
        headers: {
          [k: string]: string
        }
      }>
      /** Seconds. */
      elapsed: number
      elapsed_ms: number
      /** The same as elapsed. */
      request_time_sec: number
      request_method: string
      /** Address of the last request, after redirects. */
      request_url: string
      /** As sent; logins and cookies are shown as ***. */
      request_headers: {
        [k: string]: string
      }
      request_body: (string | null)
      start_time: string
      end_time: string
      /** Times of the last request; the first three are missing where an open connection was used. */
      timings_ms: {
        dns?: number
        connect?: number
        tls?: number
        first_byte: number
        total: number
      }
    }
  }
  /** Send one HTTP request with the second client, check it and record it. */
  AT_test_api_method_httpx: {
    params: {
      /** HTTP verb. */
      http_method: string
      /** Absolute http or https URL, or one relative to meta.base_url. */
      test_url: string
      /** Keep the request in the records when it passes; a failed one is kept in any case. */
      record_request_info: boolean
      /** Older files cleared a record of the whole process with it; what AT_assert_sla judges stays. */
      clean_record: boolean
      /** Expected fields of the result; status_code is the usual one. */
      result_check_dict: {
        status_code?: number
      } | null
      /** Check TLS certificates, or the path of a bundle or folder of trusted ones. */
      verify: (boolean | string)
      /** Time limit in seconds for the whole exchange, redirects and body included. */
      timeout: number
      /** Follow redirects. */
      allow_redirects: boolean
      /** Offer HTTP/2 to an https server. */
      http2: boolean
      /** Query parameters added to the URL; a list repeats its name, null leaves it out. */
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
      /** Field name to path of a local file, or to an object that also says its media type and name: sent as a form of several parts, with the fields of `data`. */
      files: ({
        [k: string]: string | {
          /** Path of a local file. */
          path: string
          /** Media type of the part. */
          type?: string
          /** File name that is said; null: none. */
          name?: (string | null)
        } | {
          text: string
          /** Media type of the part. */
          type?: string
          /** File name that is said; null: none. */
          name?: (string | null)
        } | ReadonlyArray<(string | {
          /** Path of a local file. */
          path: string
          /** Media type of the part. */
          type?: string
          /** File name that is said; null: none. */
          name?: (string | null)
        } | {
          text: string
          /** Media type of the part. */
          type?: string
          /** File name that is said; null: none. */
          name?: (string | null)
        })>
      } | null)
      /** Path of a local file that is sent as the body. */
      body_file: (string | null)
      /**
       * User name and password, as `[ada, s3cret]`; a token goes into `headers`, as `Authorization: Bearer …`.
       *
       * @minItems 2
       * @maxItems 2
       */
      auth: ([string, string] | null)
      /** Send the login at once as basic does or answer the Digest challenge of the server with it. */
      auth_scheme: ("basic" | "digest")
      /** Client certificate: one PEM file, or certificate path and key path. */
      cert: (null | string | ReadonlyArray<string>)
      /** Proxy URL per URL scheme; {} uses none. */
      proxies: {
        [k: string]: string
      } | null
      /** Path of a Unix socket that is asked in place of host and port. */
      unix_socket: (string | null)
      /** Headers that follow a redirect to another origin. */
      redirect_headers: (ReadonlyArray<string> | null)
      /** Time limits in seconds by phase, named as in timings_ms; timeout bounds all of it. */
      phase_timeouts: {
        dns?: number
        connect?: number
        tls?: number
        first_byte?: number
      } | null
    }
    /** The recorded fields of the answer. */
    result: {
      status_code: number
      /** The text beside the status. */
      reason: string
      /** Names in lower case; several values of one name are joined by comma and space. */
      headers: {
        [k: string]: string
      }
      /** The body as text; empty where it is none. */
      text: string
      /** The parsed body of a JSON media type, else null. */
      json: unknown
      /** Reason why a body of a JSON media type could not be parsed. */
      json_error?: string
      /** The bytes of the body. */
      content?: string
      /** The charset that the text was read with. */
      encoding: (string | null)
      /** Those that this answer sets. */
      cookies: {
        [k: string]: string
      }
      /** The answers that redirected. */
      history: ReadonlyArray<{
        status_code: number
        request_method: string
        request_url: string
        headers: {
          [k: string]: string
        }
      }>
      /** Seconds. */
      elapsed: number
      elapsed_ms: number
      /** The same as elapsed. */
      request_time_sec: number
      request_method: string
      /** Address of the last request, after redirects. */
      request_url: string
      /** As sent; logins and cookies are shown as ***. */
      request_headers: {
        [k: string]: string
      }
      request_body: (string | null)
      start_time: string
      end_time: string
      /** Times of the last request; the first three are missing where an open connection was used. */
      timings_ms: {
        dns?: number
        connect?: number
        tls?: number
        first_byte: number
        total: number
      }
    }
  }
  /** Send one request with the asynchronous second client and wait for it. */
  AT_delegate_async_httpx: {
    params: {
      /** HTTP verb. */
      http_method: string
      /** Absolute http or https URL, or one relative to meta.base_url. */
      test_url: string
      /** Keep the request in the records when it passes; a failed one is kept in any case. */
      record_request_info: boolean
      /** Older files cleared a record of the whole process with it; what AT_assert_sla judges stays. */
      clean_record: boolean
      /** Expected fields of the result; status_code is the usual one. */
      result_check_dict: {
        status_code?: number
      } | null
      /** Time limit in seconds for the whole exchange, redirects and body included. */
      timeout: number
      /** Offer HTTP/2 to an https server. */
      http2: boolean
      /** Check TLS certificates, or the path of a bundle or folder of trusted ones. */
      verify: (boolean | string)
      /** Follow redirects. */
      allow_redirects: boolean
      /** Query parameters added to the URL; a list repeats its name, null leaves it out. */
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
      /** Field name to path of a local file, or to an object that also says its media type and name: sent as a form of several parts, with the fields of `data`. */
      files: ({
        [k: string]: string | {
          /** Path of a local file. */
          path: string
          /** Media type of the part. */
          type?: string
          /** File name that is said; null: none. */
          name?: (string | null)
        } | {
          text: string
          /** Media type of the part. */
          type?: string
          /** File name that is said; null: none. */
          name?: (string | null)
        } | ReadonlyArray<(string | {
          /** Path of a local file. */
          path: string
          /** Media type of the part. */
          type?: string
          /** File name that is said; null: none. */
          name?: (string | null)
        } | {
          text: string
          /** Media type of the part. */
          type?: string
          /** File name that is said; null: none. */
          name?: (string | null)
        })>
      } | null)
      /** Path of a local file that is sent as the body. */
      body_file: (string | null)
      /**
       * User name and password, as `[ada, s3cret]`; a token goes into `headers`, as `Authorization: Bearer …`.
       *
       * @minItems 2
       * @maxItems 2
       */
      auth: ([string, string] | null)
      /** Send the login at once as basic does or answer the Digest challenge of the server with it. */
      auth_scheme: ("basic" | "digest")
      /** Client certificate: one PEM file, or certificate path and key path. */
      cert: (null | string | ReadonlyArray<string>)
      /** Proxy URL per URL scheme; {} uses none. */
      proxies: {
        [k: string]: string
      } | null
      /** Path of a Unix socket that is asked in place of host and port. */
      unix_socket: (string | null)
      /** Headers that follow a redirect to another origin. */
      redirect_headers: (ReadonlyArray<string> | null)
      /** Time limits in seconds by phase, named as in timings_ms; timeout bounds all of it. */
      phase_timeouts: {
        dns?: number
        connect?: number
        tls?: number
        first_byte?: number
      } | null
    }
    /** The recorded fields of the answer. */
    result: {
      status_code: number
      /** The text beside the status. */
      reason: string
      /** Names in lower case; several values of one name are joined by comma and space. */
      headers: {
        [k: string]: string
      }
      /** The body as text; empty where it is none. */
      text: string
      /** The parsed body of a JSON media type, else null. */
      json: unknown
      /** Reason why a body of a JSON media type could not be parsed. */
      json_error?: string
      /** The bytes of the body. */
      content?: string
      /** The charset that the text was read with. */
      encoding: (string | null)
      /** Those that this answer sets. */
      cookies: {
        [k: string]: string
      }
      /** The answers that redirected. */
      history: ReadonlyArray<{
        status_code: number
        request_method: string
        request_url: string
        headers: {
          [k: string]: string
        }
      }>
      /** Seconds. */
      elapsed: number
      elapsed_ms: number
      /** The same as elapsed. */
      request_time_sec: number
      request_method: string
      /** Address of the last request, after redirects. */
      request_url: string
      /** As sent; logins and cookies are shown as ***. */
      request_headers: {
        [k: string]: string
      }
      request_body: (string | null)
      start_time: string
      end_time: string
      /** Times of the last request; the first three are missing where an open connection was used. */
      timings_ms: {
        dns?: number
        connect?: number
        tls?: number
        first_byte: number
        total: number
      }
    }
  }
  /** Send requests at the same moment, to find what only overlapping requests show. */
  AT_race_requests: {
    params: {
      /** Requests, with the parameters of AT_test_api_method. */
      requests: ReadonlyArray<{
        http_method: string
        test_url: string
        params?: ({
          [k: string]: string | number | boolean | null | ReadonlyArray<unknown>
        } | string | null)
        headers?: {
          [k: string]: string
        } | null
        cookies?: {
          [k: string]: string
        } | null
        json?: unknown
        data?: (string | {
          [k: string]: unknown
        } | null)
        files?: ({
          [k: string]: string | {
            /** Path of a local file. */
            path: string
            /** Media type of the part. */
            type?: string
            /** File name that is said; null: none. */
            name?: (string | null)
          } | {
            text: string
            /** Media type of the part. */
            type?: string
            /** File name that is said; null: none. */
            name?: (string | null)
          } | ReadonlyArray<(string | {
            /** Path of a local file. */
            path: string
            /** Media type of the part. */
            type?: string
            /** File name that is said; null: none. */
            name?: (string | null)
          } | {
            text: string
            /** Media type of the part. */
            type?: string
            /** File name that is said; null: none. */
            name?: (string | null)
          })>
        } | null)
        body_file?: (string | null)
        /**
         * @minItems 2
         * @maxItems 2
         */
        auth?: ([string, string] | null)
        auth_scheme?: ("basic" | "digest")
      }>
      /** Times that each request is sent; at most 100 requests in all. */
      copies: number
      /** Largest time between the first request and the last. */
      within_ms: number
      /** Time limit in seconds for all of it, connecting included. */
      timeout: number
      /** Check TLS certificates, or the path of a bundle or folder of trusted ones. */
      verify: (boolean | string)
      /** Client certificate: one PEM file, or certificate path and key path. */
      cert: (null | string | ReadonlyArray<string>)
      /** Keep the requests in the records; failed ones are kept in any case. */
      record_request_info: boolean
    }
    result: {
      /** Time between the first request that left and the last. */
      spread_ms: number
      /** Number of answers by status. */
      statuses: {
        [k: string]: number
      }
      /** In the order of the requests, copies together; null where none came. */
      answers: ReadonlyArray<({
        status_code: number
        /** The text beside the status. */
        reason: string
        /** Names in lower case; several values of one name are joined by comma and space. */
        headers: {
          [k: string]: string
        }
        /** The body as text; empty where it is none. */
        text: string
        /** The parsed body of a JSON media type, else null. */
        json: unknown
        /** Reason why a body of a JSON media type could not be parsed. */
        json_error?: string
        /** The bytes of the body. */
        content?: string
        /** The charset that the text was read with. */
        encoding: (string | null)
        /** Those that this answer sets. */
        cookies: {
          [k: string]: string
        }
        /** The answers that redirected. */
        history: ReadonlyArray<{
          status_code: number
          request_method: string
          request_url: string
          headers: {
            [k: string]: string
          }
        }>
        /** Seconds. */
        elapsed: number
        elapsed_ms: number
        /** The same as elapsed. */
        request_time_sec: number
        request_method: string
        /** Address of the last request, after redirects. */
        request_url: string
        /** As sent; logins and cookies are shown as ***. */
        request_headers: {
          [k: string]: string
        }
        request_body: (string | null)
        start_time: string
        end_time: string
        /** Times of the last request; the first three are missing where an open connection was used. */
        timings_ms: {
          dns?: number
          connect?: number
          tls?: number
          first_byte: number
          total: number
        }
      } | null)>
      errors: ReadonlyArray<{
        index: number
        error: string
      }>
    }
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
      /** Keep the exchange in the records when it passes; a failed one is kept in any case. */
      record_request_info: boolean
      /** Request headers of the handshake. */
      headers: {
        [k: string]: string
      } | null
      /** Subprotocols to offer, the best first. */
      subprotocols: (ReadonlyArray<string> | null)
      /** Check the TLS certificate. */
      verify: boolean
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
      /** Absolute http or https URL of the stream, or one relative to meta.base_url. */
      url: string
      /** Stop after this many events. */
      max_events: number
      /** Limit in seconds for connecting and for silence on the stream. */
      timeout: number
      /** Extra request headers; they win over the Accept header set here. */
      headers: {
        [k: string]: string
      } | null
      /** Keep the events in the records when the step passes; a failed one is kept in any case. */
      record_request_info: boolean
      /** Time limit in seconds for all connections together. */
      total_timeout: number
      /** Number of further connections when the stream ends before there are enough events. */
      reconnect: number
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
      /** GraphQL endpoint: an absolute URL, or one relative to meta.base_url. */
      url: string
      /** Query or mutation text. */
      query: string
      /** Variable values by name. */
      variables: {
        [k: string]: unknown
      } | null
      /** Operation to run when the text holds several. */
      operation_name: (string | null)
      /** Request headers; the JSON content type is there in any case. */
      headers: {
        [k: string]: string
      } | null
      /** Time limit in seconds for the whole exchange. */
      timeout: number
      /** Keep the request in the records when it passes; a failed one is kept in any case. */
      record_request_info: boolean
      /** Older files cleared a record of the whole process with it; what AT_assert_sla judges stays. */
      clean_record: boolean
      /** Expected fields of the result; status_code is the usual one. */
      result_check_dict: {
        status_code?: number
      } | null
      /** Check TLS certificates, or the path of a bundle or folder of trusted ones. */
      verify: (boolean | string)
      /** Schema that the query must fit: type definitions, or the JSON answer of an introspection query. */
      schema: (string | null)
      /** Let an answer pass whose body holds GraphQL errors. */
      allow_errors: boolean
    }
    /** The recorded fields of the answer. */
    result: {
      status_code: number
      /** The text beside the status. */
      reason: string
      /** Names in lower case; several values of one name are joined by comma and space. */
      headers: {
        [k: string]: string
      }
      /** The body as text; empty where it is none. */
      text: string
      /** The parsed body of a JSON media type, else null. */
      json: unknown
      /** Reason why a body of a JSON media type could not be parsed. */
      json_error?: string
      /** The bytes of the body. */
      content?: string
      /** The charset that the text was read with. */
      encoding: (string | null)
      /** Those that this answer sets. */
      cookies: {
        [k: string]: string
      }
      /** The answers that redirected. */
      history: ReadonlyArray<{
        status_code: number
        request_method: string
        request_url: string
        headers: {
          [k: string]: string
        }
      }>
      /** Seconds. */
      elapsed: number
      elapsed_ms: number
      /** The same as elapsed. */
      request_time_sec: number
      request_method: string
      /** Address of the last request, after redirects. */
      request_url: string
      /** As sent; logins and cookies are shown as ***. */
      request_headers: {
        [k: string]: string
      }
      request_body: (string | null)
      start_time: string
      end_time: string
      /** Times of the last request; the first three are missing where an open connection was used. */
      timings_ms: {
        dns?: number
        connect?: number
        tls?: number
        first_byte: number
        total: number
      }
    }
  }
  /** Call a gRPC method and check how it ends. */
  AT_test_api_method_grpc: {
    params: {
      /** Address, host:port. */
      address: string
      /** Full method path, /package.Service/Method. */
      method: string
      /** Messages to send, in order; the request ends behind the last one. */
      messages: (ReadonlyArray<unknown> | null)
      /** Status code name that the call must end with; null takes any. */
      expected_code: (string | null)
      /** Deadline in seconds for the whole call. */
      timeout: number
      /** Keep the call in the records when it passes; a failed one is kept in any case. */
      record_request_info: boolean
      /** A .proto file, or a descriptor set; messages are then objects by field name. */
      descriptors: (string | null)
      /** Metadata of the call. */
      metadata: {
        [k: string]: string
      } | null
      /** Connect with TLS. */
      tls: boolean
      /** PEM file of the authorities to trust; those of the system when left out. */
      authorities: (string | null)
    }
    /** how the call ended, and the messages that came */
    result: {
      url: string
      method: string
      code: string
      details: string
      messages: ReadonlyArray<unknown>
      metadata: {
        [k: string]: string
      }
      trailers: {
        [k: string]: string
      }
      start_time: string
      end_time: string
    }
  }
}
