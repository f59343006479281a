// Generated from stdlib/api/core/auth/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Build the header for basic authentication. */
  AT_basic_auth_header: {
    params: {
      /** User name. */
      username: string
      /** Password. */
      password: string
    }
    /** object with the Authorization header */
    result: {
      Authorization: string
    }
  }
  /** Build the header for a bearer token. */
  AT_bearer_token_header: {
    params: {
      /** Token. */
      token: string
    }
    /** object with the Authorization header */
    result: {
      Authorization: string
    }
  }
  /** Build and sign a JSON Web Token. */
  AT_build_jwt: {
    params: {
      /** Claims. */
      payload: {
        [k: string]: unknown
      }
      /** Shared secret, or private key text for RS, PS and ES algorithms. */
      secret: string
      /** Signing algorithm. */
      algorithm: ("HS256" | "HS384" | "HS512" | "RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512" | "ES256" | "ES384" | "ES512" | "EdDSA")
      /** Further fields of the header, such as `kid`. */
      header: {
        [k: string]: unknown
      } | null
    }
    /** the signed token */
    result: string
  }
  /** Sign a request with signature version 4 and return the headers. */
  AT_sigv4_headers: {
    params: {
      /** HTTP verb. */
      method: string
      /** Full URL with query. */
      url: string
      /** Region name. */
      region: string
      /** Service name. */
      service: string
      /** Access key id. */
      access_key: string
      /** Secret key. */
      secret_key: string
      /** Request body, base64. */
      body: (string | null)
      /** Headers to sign as well. */
      extra_headers: {
        [k: string]: string
      } | null
      /** Token of temporary credentials. */
      session_token: (string | null)
      /** Time of the signature, ISO 8601; now when left out. */
      at: (string | null)
    }
    /** headers to send, among them Authorization and the date header */
    result: {
      [k: string]: string
    }
  }
}
