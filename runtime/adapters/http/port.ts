import type { FormFiles } from '#grammar/http/multipart.ts';
import type { KeptCookie } from '#schemas/types/kept-cookie.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly http: HttpPort;
  }
}

/**
 * Sends HTTP requests. One client a unit: it keeps connections and, for requests with `session`, cookies, until the
 * unit ends. Every request has a time limit. An answer of any status is an answer; what prevents an answer is a
 * failure.
 */
export interface HttpPort {
  send(request: HttpRequest): Promise<HttpAnswer>;
  /**
   * Sends like `send`, but yields as soon as the head of the answer is there. The body is then read as it
   * comes, or closed: on every path, since the connection waits for it. Cookies are not kept.
   */
  receive(request: StreamRequest): Promise<HttpStream>;
  /**
   * Sends all requests at the same moment, each over a connection of its own. Redirects, proxies and HTTP/2 are not
   * used; challenges of Digest logins are asked for before. Certificates, `checked` and the signal are those of the
   * first. Fails when one cannot connect: then none was sent.
   */
  race(requests: readonly [HttpRequest, ...HttpRequest[]]): Promise<HttpRace>;
  /** Cookies that the unit's session keeps, of all sites. */
  cookies(): Promise<readonly KeptCookie[]>;
  /** Puts these in the place of the cookies that the unit's session keeps. */
  replaceCookies(cookies: readonly KeptCookie[]): Promise<void>;
}

export interface HttpRace {
  /** Milliseconds between the moments at which the first and the last request left. */
  readonly spread_ms: number;
  /** In the order of the requests. The times of answers count from the release. */
  readonly outcomes: readonly RaceOutcome[];
}

export type RaceOutcome = { readonly answer: HttpAnswer } | { readonly failure: unknown };

export interface HttpRequest {
  /** Method in capitals. */
  readonly method: string;
  /** Absolute, http or https, without user and password. */
  readonly url: URL;
  /** Names in lower case. `user-agent`, `accept` and `accept-encoding` are added where missing. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** In place of a body, a form of several parts: `content-type` is set. */
  readonly form?: HttpForm;
  /** In place of a body, the path of a local file: `send` reads it while it goes, for each request anew. */
  readonly body_file?: string;
  /** Path of a Unix socket that takes the place of host and port until a redirect leads to another origin. */
  readonly unix_socket?: string;
  /** Bounds the whole exchange, redirects and body included. */
  readonly timeout_ms: number;
  /**
   * Time limits (ms) of parts of each exchange; `send` alone knows them. `first_byte` begins when the connection is
   * there; through a proxy `connect` ends then. A part that does not happen has none.
   */
  readonly phases_ms?: { readonly [part in 'dns' | 'connect' | 'tls' | 'first_byte']?: number };
  readonly signal: AbortSignal;
  /** Follow redirects. */
  readonly follow?: boolean;
  /**
   * Names of headers, in lower case, that a redirect to another origin takes along; else it takes those that everybody
   * may see (`accept`, `user-agent`, `range` and the like), and never a login, a cookie or a key.
   */
  readonly redirect_headers?: readonly string[];
  /** Use and fill the cookies of the unit's session. */
  readonly session?: boolean;
  /** Answers Digest challenges of the first origin with a second request; `send` alone knows it. */
  readonly digest?: DigestLogin;
  /** Cookies of this request and its redirects to the same origin; they win over those of the session. */
  readonly cookies?: Readonly<Record<string, string>>;
  /** True: the certificate must be valid; false: any; text: path of a bundle, or a folder, of trusted authorities. */
  readonly verify?: boolean | string;
  /** One PEM file with certificate and key, or the paths of both. */
  readonly cert?: string | readonly [certificate: string, key: string];
  /** Proxies by `scheme`, `scheme://host`, `all`, `all://host`. Absent: those of the environment; empty: none. */
  readonly proxies?: Readonly<Record<string, string>>;
  /** Offer HTTP/2 first. */
  readonly http2?: boolean;
  /**
   * The address came from outside: each hop is checked by the port `outbound`, and the connection goes to an address
   * that was checked. Proxies are not used, and a redirect may not lead from https to http.
   */
  readonly checked?: boolean;
  /** Whether private networks and this machine are let in, unless that is denied; counts with `checked`. */
  readonly allow_private?: boolean;
}

export interface HttpForm {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: FormFiles;
}

export type DigestLogin = readonly [user: string, password: string];

export interface StreamRequest extends Omit<
  HttpRequest,
  'timeout_ms' | 'phases_ms' | 'session' | 'cookies' | 'digest' | 'form' | 'body_file'
> {
  /** Bounds everything until the body has ended; absent: only `idle_ms` bounds it. */
  readonly timeout_ms?: number;
  /** Original time limit (ms); `timeout_ms` is what remains of it. Shown in failures. */
  readonly timeout_of_ms?: number;
  /** Bounds connecting, waiting for the head of the answer, and waiting for each piece of the body. */
  readonly idle_ms: number;
  /**
   * A body that is read as it is sent, once, in place of `body`. Its size stands in the header `content-length`. Such a
   * request follows no redirect and is never sent twice.
   */
  readonly upload?: AsyncIterable<Uint8Array>;
  /** Most redirects that are followed. */
  readonly redirects?: number;
}

export interface HttpStream extends Pick<HttpAnswer, 'status' | 'reason' | 'headers' | 'request' | 'history'> {
  /**
   * Reads the body once; the server waits while nobody asks for more. Breaks off with a failure where the answer ends
   * early or a time limit is over. `packed`: as it came, `Content-Encoding` is not undone.
   */
  body(options?: { readonly packed?: boolean }): AsyncIterable<Uint8Array>;
  /** Lets go of the connection, whatever has been read. */
  close(): void;
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
  /** Request that this answers: the last one where redirects were followed. */
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
  /** The line as it came, attributes included. */
  readonly line: string;
}

/**
 * Milliseconds, of the last request. `dns`, `connect` and `tls` are absent where an open connection was used or a proxy
 * stands between.
 */
export interface HttpTimings {
  readonly dns?: number;
  readonly connect?: number;
  readonly tls?: number;
  /** Milliseconds from sending to the first byte of the answer. */
  readonly first_byte: number;
  readonly total: number;
}
