import type { Json } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly mockGrpc: MockGrpc;
  }
}

/** The scripted gRPC mock of a unit, over raw bytes. It is gone with what it received at the end of the unit. */
export interface MockGrpc {
  /** Fails where it runs already, where a method is configured wrongly, and where it cannot listen. Yields `host:port`. */
  start(options: MockGrpcStart): Promise<string>;
  /** Ends open calls at once and forgets what was received. Nothing happens where none runs. */
  stop(): Promise<void>;
  /** The messages that came for a method, oldest first; a copy. Fails where none runs. */
  received(method: string): readonly Uint8Array[];
}

export interface MockGrpcStart {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** By full path, `/package.Service/Method`. */
  readonly methods: Readonly<Record<string, GrpcScript>>;
}

/**
 * What a method does, whether its clients send one message or a stream: `response` is one message when the request has ended,
 * `stream` several of them, `each` one for every message at once. Payloads: text as UTF-8, any other value as compact JSON.
 */
export interface GrpcScript {
  readonly response?: Json | undefined;
  readonly response_base64?: string | undefined;
  readonly stream?: readonly Json[] | undefined;
  /** `{{message}}` alone sends back the bytes that came; inside a text it is the message as text. */
  readonly each?: Json | undefined;
  /** Ends the call; behind a `stream` once that was sent. */
  readonly error?: { readonly code: string; readonly details?: string | undefined } | undefined;
  /** Before the first answer. */
  readonly delay_ms?: number | undefined;
}
