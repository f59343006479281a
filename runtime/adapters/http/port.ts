declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly http: HttpPort;
  }
}

/**
 * Sends HTTP requests. One client a unit: it keeps connections and, for requests with `session`, cookies, until the unit
 * ends. Every request has a time limit. An answer of any status is an answer; what prevents an answer is a failure.
 */
export interface HttpPort {
  send(request: HttpRequest): Promise<HttpAnswer>;
}

export interface HttpRequest {
  /** In capitals. */
  readonly method: string;
  /** Absolute, http or https, without user and password. */
  readonly url: URL;
  /** Names in lower case. `user-agent`, `accept` and `accept-encoding` are added where missing. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Bounds the whole exchange, redirects and body included. */
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
  /** Follow redirects. */
  readonly follow?: boolean;
  /** Use and fill the cookies of the unit's session. */
  readonly session?: boolean;
  /** For this request and its redirects to the same origin; they win over those of the session. */
  readonly cookies?: Readonly<Record<string, string>>;
  /** True: the certificate must be valid; false: any; text: path of a bundle, or a folder, of trusted authorities. */
  readonly verify?: boolean | string;
  /** One PEM file with certificate and key, or the paths of both. */
  readonly cert?: string | readonly [certificate: string, key: string];
  /** By `scheme`, `scheme://host`, `all`, `all://host`. Absent: those of the environment; empty: none. */
  readonly proxies?: Readonly<Record<string, string>>;
  /** Offer HTTP/2 first. */
  readonly http2?: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly reason: string;
  /** Names in lower case; several values of one name are joined by comma and space. */
  readonly headers: Readonly<Record<string, string>>;
  /** Each `Set-Cookie` line of the last answer. */
  readonly set_cookies: readonly SetCookie[];
  /** Unpacked. */
  readonly body: Uint8Array;
  /** Of the request that this answers: the last one where redirects were followed. */
  readonly request: SentRequest;
  /** The answers that redirected, in order. */
  readonly history: readonly HttpHop[];
  /** Milliseconds since 1970. */
  readonly started_at: number;
  readonly elapsed_ms: number;
  readonly timings: HttpTimings;
}

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface HttpHop {
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly request: SentRequest;
}

export interface SetCookie {
  readonly name: string;
  readonly value: string;
  readonly http_only: boolean;
}

/** Milliseconds, of the last request. `dns`, `connect` and `tls` are absent where an open connection was used or a proxy stands between. */
export interface HttpTimings {
  readonly dns?: number;
  readonly connect?: number;
  readonly tls?: number;
  /** From sending to the first byte of the answer. */
  readonly first_byte: number;
  readonly total: number;
}
