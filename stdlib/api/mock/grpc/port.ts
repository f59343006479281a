import type { Json } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly mockGrpc: MockGrpc;
  }
}

/** The scripted gRPC mock of a unit, over raw bytes. It is gone with what it received at the end of the unit. */
export interface MockGrpc {
  /**
   * Fails where it runs already, where a method is configured wrongly, and where it cannot listen. Yields `host:port`.
   */
  start(options: MockGrpcStart): Promise<string>;
  /** Ends open calls at once and forgets what was received. Nothing happens where none runs. */
  stop(): Promise<void>;
  /**
   * Serves a further method, or one in another way. Fails where none runs, and where the method is configured wrongly.
   */
  add(method: string, script: GrpcScript): void;
  /** The messages that came for a method, oldest first; a copy. Fails where none runs. */
  received(method: string): readonly Uint8Array[];
  /** Calls back for every message from now on. */
  watch(heard: (method: string, message: Uint8Array) => void): void;
}

export interface MockGrpcStart {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** Scripts by full path, `/package.Service/Method`. */
  readonly methods: Readonly<Record<string, GrpcScript>>;
}

/**
 * Answers of a method, whether its clients send one message or a stream: `response` is one message when the
 * request has ended, `stream` several of them, `each` one for every message at once. Payloads: text as UTF-8,
 * any other value as compact JSON.
 */
export interface GrpcScript {
  readonly response?: Json | undefined;
  readonly response_base64?: string | undefined;
  readonly stream?: readonly Json[] | undefined;
  /** `{{message}}` alone sends back the bytes that came; inside a text it is the message as text. */
  readonly each?: Json | undefined;
  /** Ends the call; behind a `stream` once that was sent. */
  readonly error?: { readonly code: string; readonly details?: string | undefined } | undefined;
  /** Answers each message by a function, one after the other. Where it throws, the call ends with UNKNOWN. */
  readonly handler?: GrpcHandler | undefined;
  /** Before the first answer. */
  readonly delay_ms?: number | undefined;
}

type GrpcReply = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
/** One message or several as the answer to one. */
export type GrpcHandler = (message: Uint8Array) => GrpcReply | Promise<GrpcReply>;
