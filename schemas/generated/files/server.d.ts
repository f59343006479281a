// Generated from stdlib/files/servers/server/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Start the TCP action server. */
  FA_tcp_server_start: {
    params: {
      /** Address to bind. */
      host: string
      /** Port to bind; 0 picks a free one. */
      port: number
      /** Permit an address other machines can reach. */
      allow_non_loopback: boolean
      /** Secret every request must present. */
      shared_secret: (string | null)
      /** Only these commands; all when left out. */
      allowed_actions: (ReadonlyArray<string> | null)
      /** Never these commands; wins over the allow list. */
      denied_actions: ReadonlyArray<string>
      /** Callers reach files outside of the project too. */
      allow_outside: boolean
      /** References of callers read the environment and secret files. */
      allow_environment: boolean
    }
    /** where it listens */
    result: {
      name: string
      host: string
      port: number
      auth: boolean
    }
  }
  /** Start the HTTP action server. */
  FA_http_server_start: {
    params: {
      /** Address to bind. */
      host: string
      /** Port to bind; 0 picks a free one. */
      port: number
      /** Permit an address other machines can reach. */
      allow_non_loopback: boolean
      /** Secret every request must present. */
      shared_secret: (string | null)
      /** Only these commands; all when left out. */
      allowed_actions: (ReadonlyArray<string> | null)
      /** Never these commands; wins over the allow list. */
      denied_actions: ReadonlyArray<string>
      /** Callers reach files outside of the project too. */
      allow_outside: boolean
      /** References of callers read the environment and secret files. */
      allow_environment: boolean
    }
    /** where it listens */
    result: {
      name: string
      host: string
      port: number
      auth: boolean
    }
  }
  /** Start the metrics server. */
  FA_metrics_server_start: {
    params: {
      /** Address to bind. */
      host: string
      /** Port to bind; 0 picks a free one. */
      port: number
      /** Permit an address other machines can reach. */
      allow_non_loopback: boolean
    }
    /** where it listens */
    result: {
      name: string
      host: string
      port: number
      auth: boolean
    }
  }
  /** Start the read-only web dashboard. */
  FA_dashboard_start: {
    params: {
      /** Address to bind. */
      host: string
      /** Port to bind; 0 picks a free one. */
      port: number
      /** Permit an address other machines can reach. */
      allow_non_loopback: boolean
      /** Secret every request must present. */
      shared_secret: (string | null)
    }
    /** where it listens */
    result: {
      name: string
      host: string
      port: number
      auth: boolean
    }
  }
  /** Stop the TCP action server. */
  FA_tcp_server_stop: {
    params: {
      /** Port of the server, when several run; all of them when left out. */
      port: (number | null)
    }
    /** number stopped */
    result: number
  }
  /** Stop the HTTP action server. */
  FA_http_server_stop: {
    params: {
      /** Port of the server, when several run; all of them when left out. */
      port: (number | null)
    }
    /** number stopped */
    result: number
  }
  /** Stop the metrics server. */
  FA_metrics_server_stop: {
    params: {
      /** Port of the server, when several run; all of them when left out. */
      port: (number | null)
    }
    /** number stopped */
    result: number
  }
  /** Stop the web dashboard. */
  FA_dashboard_stop: {
    params: {
      /** Port of the server, when several run; all of them when left out. */
      port: (number | null)
    }
    /** number stopped */
    result: number
  }
  /** List the running servers. */
  FA_server_list: {
    params: {}
    /** running servers */
    result: ReadonlyArray<{
      kind: ("tcp" | "http" | "metrics" | "dashboard")
      host: string
      port: number
      auth: boolean
      started_at?: string
    }>
  }
  /** List the tools an MCP host would see. */
  FA_mcp_list_tools: {
    params: {
      /** Only these commands. */
      allowed_actions: (ReadonlyArray<string> | null)
    }
    /** tools sorted by name */
    result: ReadonlyArray<{
      name: string
      description: string
      inputSchema: {
        [k: string]: unknown
      }
    }>
  }
}
