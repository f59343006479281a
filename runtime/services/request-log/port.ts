import type { JsonObject } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly requestLog: RequestLog;
  }
}

/**
 * The requests of one unit, in the order in which they ended: what SLA checks, reports, trends, contracts and recovered
 * specifications read.
 */
export interface RequestLog {
  /** `exchange` is what was sent and received: kept beside the entry as long as there is room. */
  add(entry: RequestEntry, exchange?: Exchange): void;
  /** A call that could not be made: it is a failure in reports, and no request. */
  refuse(failure: FailedCall): void;
  /** A copy; nothing of headers and bodies is in it. */
  entries(step?: AskingStep): readonly RequestEntry[];
  /** Requests that passed and that failed, oldest first, as they may leave the run: secrets are hidden. */
  exchanges(step?: AskingStep): Exchanges;
  clear(): void;
  /** Tells people something that is no failure. */
  warn(text: string): void;
}

/** Step that asks: in teardown it gets the requests of all rows of a dataset, else those of its row. */
export interface AskingStep {
  readonly inTeardown?: true;
}

export type Exchange =
  | { readonly kind: 'passed'; readonly record: SuccessRecord }
  | ({ readonly kind: 'failed' } & FailedCall);

/** The recorded fields of an answer, as reports and tools name them (`http_result` of the declarations). */
export type SuccessRecord = object;

/** A failed call: its parameters, the error text, and what was measured in spite of it. */
export interface FailedCall {
  readonly call: JsonObject;
  /** Verb and address as they were sent, with the query that parameters made; absent: nothing was sent. */
  readonly sent?: { readonly method: string; readonly url: string };
  readonly error: string;
  /** Status of the answer; null where none came. */
  readonly status: number | null;
  readonly elapsed_ms: number | null;
  /** Milliseconds since 1970, UTC. */
  readonly started_at: number;
  readonly kind_of_error: RequestErrorKind | 'configuration';
  /** The recorded fields of the answer; absent: none came. */
  readonly record?: SuccessRecord;
}

export interface Exchanges {
  readonly passed: readonly JsonObject[];
  readonly failed: readonly FailedCall[];
  /** Older ones for which there was no room any more (`limits.request_log_bytes`). */
  readonly dropped: number;
}

export interface RequestEntry {
  readonly step: string;
  readonly protocol: 'http' | 'graphql' | 'sse' | 'websocket' | 'grpc';
  /** Method in capitals. */
  readonly method: string;
  readonly url: string;
  /** Null where no answer came. */
  readonly status: number | null;
  /** Milliseconds since 1970, UTC. */
  readonly started_at: number;
  readonly elapsed_ms: number;
  /** Bytes of the unpacked body; null where no answer came. */
  readonly length: number | null;
  /** Reason why the request counts as failed; absent: it passed. */
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
