declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly requestLog: RequestLog;
  }
}

/**
 * The requests of one unit, in the order in which they ended: what SLA checks, reports and trends judge. Nothing of headers
 * and bodies is kept.
 */
export interface RequestLog {
  add(entry: RequestEntry): void;
  /** A copy. */
  entries(): readonly RequestEntry[];
  clear(): void;
}

export interface RequestEntry {
  readonly step: string;
  readonly protocol: 'http' | 'graphql' | 'sse' | 'websocket';
  /** In capitals. */
  readonly method: string;
  readonly url: string;
  /** Null where no answer came. */
  readonly status: number | null;
  /** Milliseconds since 1970, UTC. */
  readonly started_at: number;
  readonly elapsed_ms: number;
  /** Bytes of the unpacked body; null where no answer came. */
  readonly length: number | null;
  /** Why the request counts as failed; absent: it passed. */
  readonly error?: { readonly kind: RequestErrorKind; readonly message: string };
}

export type RequestErrorKind =
  | 'assertion'
  | 'http_status'
  | 'timeout'
  | 'tls'
  | 'connection'
  | 'transport'
  | 'runner_internal';
