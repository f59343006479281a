// Generated from stdlib/browser/data/oauth/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Get a token with the client-credentials grant. */
  WR_oauth_client_credentials: {
    params: {
      /** Token endpoint. */
      token_url: string
      /** Client id. */
      client_id: string
      /** Client secret. */
      client_secret: string
      /** Requested scope. */
      scope: (string | null)
      /** Name under which the token is kept. */
      cache_key: (string | null)
      /** Limit in seconds. */
      timeout: number
      /** Form of the client's login: a basic login, or fields of the body. */
      client_auth: ("basic" | "body")
    }
    /** The token as the server sent it; its texts are masked in everything that is written. */
    result: {
      access_token: string
      token_type?: string
      /** Seconds. */
      expires_in?: (number | string)
      refresh_token?: string
      scope?: string
      /** Whole seconds since 1970, by the clock of this machine. */
      _obtained_at: number
      [k: string]: unknown
    }
  }
  /** Get a token with user name and password. */
  WR_oauth_password_grant: {
    params: {
      /** Token endpoint. */
      token_url: string
      /** Client id. */
      client_id: string
      /** Client secret. */
      client_secret: string
      /** User name. */
      username: string
      /** Password. */
      password: string
      /** Requested scope. */
      scope: (string | null)
      /** Name under which the token is kept. */
      cache_key: (string | null)
      /** Limit in seconds. */
      timeout: number
      /** Form of the client's login: a basic login, or fields of the body. */
      client_auth: ("basic" | "body")
    }
    /** The token as the server sent it; its texts are masked in everything that is written. */
    result: {
      access_token: string
      token_type?: string
      /** Seconds. */
      expires_in?: (number | string)
      refresh_token?: string
      scope?: string
      /** Whole seconds since 1970, by the clock of this machine. */
      _obtained_at: number
      [k: string]: unknown
    }
  }
  /** Get a new token with a refresh token. */
  WR_oauth_refresh_token: {
    params: {
      /** Token endpoint. */
      token_url: string
      /** Client id. */
      client_id: string
      /** Client secret. */
      client_secret: string
      /** Refresh token. */
      refresh_token: string
      /** Name under which the token is kept. */
      cache_key: (string | null)
      /** Limit in seconds. */
      timeout: number
      /** Form of the client's login: a basic login, or fields of the body. */
      client_auth: ("basic" | "body")
    }
    /** The token as the server sent it; its texts are masked in everything that is written. */
    result: {
      access_token: string
      token_type?: string
      /** Seconds. */
      expires_in?: (number | string)
      refresh_token?: string
      scope?: string
      /** Whole seconds since 1970, by the clock of this machine. */
      _obtained_at: number
      [k: string]: unknown
    }
  }
  /** Build the authorization header for a token. */
  WR_oauth_bearer_header: {
    params: {
      /** Token text. */
      access_token: string
    }
    /** Header object. */
    result: {
      Authorization: string
    }
  }
  /** Read a kept token. */
  WR_oauth_get_cached: {
    params: {
      /** Cache name. */
      cache_key: string
    }
    /** Token, or null. */
    result: ({
      access_token: string
      token_type?: string
      /** Seconds. */
      expires_in?: (number | string)
      refresh_token?: string
      scope?: string
      /** Whole seconds since 1970, by the clock of this machine. */
      _obtained_at: number
      [k: string]: unknown
    } | null)
  }
  /** Forget all kept tokens. */
  WR_oauth_clear_cache: {
    params: {}
    result: null | undefined | void
  }
}
