// Generated from stdlib/api/core/mock/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Add routes answered by your own functions to the HTTP mock. */
  AT_mock_server_add_router: {
    params: {
      /** Route path to handler reference. */
      rule_and_function_dict: {
        [k: string]: string
      }
      /** Verbs the routes answer; GET when left out. */
      methods: (ReadonlyArray<"GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS"> | null)
    }
    result: null | undefined | void
  }
  /** Start the HTTP mock server. */
  AT_start_mock_server: {
    params: {
      /** Interface to listen on; 127.0.0.1 when left out. */
      host: (string | null)
      /** Port; 0 or left out picks a free one. */
      port: (number | null)
      /** Mock configuration file with routes to serve. */
      config: (string | null)
      /** Delay before every answer, and the share of answers replaced by a failure (500 "injected failure" unless said otherwise). */
      faults: {
        latency_seconds?: number
        failure_probability?: number
        failure_status?: number
        failure_body?: string
      } | null
    }
    /** Base URL, without a slash at the end, and the port in use. */
    result: {
      url: string
      port: number
    }
  }
  /** Stop the HTTP mock server. */
  AT_stop_mock_server: {
    params: {}
    result: null | undefined | void
  }
  /** List the requests the HTTP mock got. */
  AT_mock_received: {
    params: {
      /** Only those to this path or over this rule. */
      path: (string | null)
      /** Only those with this verb. */
      method: ("GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS" | null)
      /** Only what came over webhook routes, the newest 100. */
      webhooks: boolean
    }
    /** Requests in the order in which they came. */
    result: ReadonlyArray<{
      method: string
      /** Decoded, without query. */
      path: string
      /** A list where a name stands more than once. */
      query: {
        [k: string]: string | ReadonlyArray<string>
      }
      /** Names in lower case. */
      headers: {
        [k: string]: string
      }
      /** Null where the body is not JSON. */
      json: unknown
      form: {
        [k: string]: string
      }
      /** At most 64 KiB of the body. */
      data: string
      /** The rule that answered. */
      route: (string | null)
      status: number
      at: string
      /** Message of the error that a handler threw. */
      error?: string
    }>
  }
  /** Add a mock route whose answer depends on the request. */
  AT_mock_add_dynamic_route: {
    params: {
      /** Route path. */
      rule: string
      /** Verbs; GET when left out. */
      methods: (ReadonlyArray<"GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS"> | null)
      /** Rules for the router, tried in order. */
      rules: (ReadonlyArray<{
        when?: {
          in?: ("form" | "headers" | "json" | "path" | "query")
          field_path: string
          expected: unknown
        }
        times?: number
        body?: unknown
        status?: number
        headers?: {
          [k: string]: string
        }
        delay_seconds?: number
        fault?: ("reset" | "cut" | "slow" | "wrong_length")
        handler?: string
        name?: string
      }> | null)
    }
    result: null | undefined | void
  }
  /** Add a mock route whose body is a template. */
  AT_mock_add_template_route: {
    params: {
      /** Route path with parameters: <name>, <int:name>, <path:name>, {name}. */
      rule: string
      /** Text, object or list with placeholders. */
      body_template: unknown
      /** Status code of the answer. */
      status: number
      /** Verbs; GET when left out. */
      methods: (ReadonlyArray<"GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS"> | null)
      /** Headers of the answer. */
      headers: {
        [k: string]: string
      } | null
    }
    result: null | undefined | void
  }
  /** Add a mock route that streams server-sent events. */
  AT_mock_add_event_stream: {
    params: {
      /** Route path with parameters: <name>, <int:name>, <path:name>, {name}. */
      rule: string
      /** Events in order: data as text with placeholders, object or list, and their type, id and delay where they have one. */
      events: ReadonlyArray<{
        data: unknown
        event?: string
        id?: string
        delay_seconds?: number
      }>
      /** Events after which a connection ends; all when left out. */
      events_per_connection: (number | null)
      /** Time that clients are told to wait until they connect again. */
      retry_ms: (number | null)
      /** Time before each event. */
      interval_seconds: number
      /** Headers of the answer. */
      headers: {
        [k: string]: string
      } | null
    }
    result: null | undefined | void
  }
  /** Add a mock route that stores the webhooks it receives. */
  AT_mock_add_webhook: {
    params: {
      /** Route path. */
      route: string
    }
    result: null | undefined | void
  }
  /** Add a mock route that forwards to a real server and records the traffic. */
  AT_mock_add_proxy: {
    params: {
      /** Base URL of the real server. */
      upstream_base: string
      /** Tape file to read and extend. */
      cassette_path: string
      /** Route with the placeholder for the forwarded path. */
      route: string
      /** Never contact the real server. */
      replay_only: boolean
    }
    result: null | undefined | void
  }
  /** Register mock routes for every operation of an OpenAPI document. */
  AT_mock_load_openapi: {
    params: {
      /** OpenAPI 3.x document. */
      spec: {
        paths: {
          [k: string]: unknown
        }
      }
    }
    /** map from `VERB path` to the rule of its route */
    result: {
      [k: string]: string
    }
  }
  /** Start the scripted WebSocket mock. */
  AT_mock_start_websocket_server: {
    params: {
      /** Path to script; one echo route at / when left out. */
      routes: ({
        [k: string]: {
          greeting?: (string | null)
          replies?: {
            [k: string]: string | null | ReadonlyArray<string>
          }
          fallback?: (string | null)
        }
      } | null)
      /** Interface to listen on. */
      host: string
      /** Port; 0 picks a free one. */
      port: number
    }
    /** base address of the mock */
    result: string
  }
  /** Stop the WebSocket mock and close its connections. */
  AT_mock_stop_websocket_server: {
    params: {}
    result: null | undefined | void
  }
  /** List the text frames the WebSocket mock got on a path. */
  AT_mock_websocket_received: {
    params: {
      /** Route path. */
      path: string
    }
    /** frames in the order they arrived */
    result: ReadonlyArray<string>
  }
  /** Start the scripted gRPC mock. */
  AT_mock_start_grpc_server: {
    params: {
      /** Full method path to answer. */
      methods: {
        [k: string]: {
          response?: unknown
          response_base64?: string
          stream?: ReadonlyArray<unknown>
          each?: unknown
          delay_ms?: number
          error?: {
            code: string
            details?: string
          }
        }
      }
      /** Interface to listen on. */
      host: string
      /** Port; 0 picks a free one. */
      port: number
    }
    /** address as host:port, without TLS */
    result: string
  }
  /** Stop the gRPC mock. */
  AT_mock_stop_grpc_server: {
    params: {}
    result: null | undefined | void
  }
  /** List the requests the gRPC mock got for a method. */
  AT_mock_grpc_received: {
    params: {
      /** Full method path, /package.Service/Method. */
      method_path: string
      /** Form of a message in the result. */
      as: ("text" | "base64")
    }
    /** messages of requests, in the order they arrived */
    result: ReadonlyArray<string>
  }
}
