import type { Json } from '#schemas/types/json.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly grpc: GrpcClient;
  }
}

/**
 * Calls gRPC methods by their path, with messages as raw bytes or by descriptors. Every call has a connection of its
 * own and a deadline.
 */
export interface GrpcClient {
  /** Any status is an outcome; what could not be sent is a failure. */
  call(call: GrpcCall): Promise<GrpcOutcome>;
}

export interface GrpcCall {
  /** `host:port`. */
  readonly target: string;
  /** `/package.Service/Method`. */
  readonly method: string;
  /** Messages in order; the request ends behind the last one. */
  readonly messages: readonly Json[];
  /** A `.proto` file or a descriptor set; absent: text is UTF-8, any other value compact JSON. */
  readonly descriptors?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly tls: boolean;
  /** PEM bundle of trusted authorities; absent: those of the system. */
  readonly authorities?: string;
  readonly deadline_ms: number;
  readonly signal: AbortSignal;
}

export interface GrpcOutcome {
  /** `OK`, `NOT_FOUND`, … */
  readonly code: string;
  readonly details: string;
  /** Messages by descriptors, or text; bytes that are no text as `data:;base64,…`. */
  readonly messages: readonly Json[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly trailers: Readonly<Record<string, string>>;
}
