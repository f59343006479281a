declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly webSocket: WebSocketPort;
  }
}

/** Opens WebSocket connections. Those still open at the end of the unit are closed then. */
export interface WebSocketPort {
  /** Fails where the connection, or the handshake, is refused or takes too long. */
  connect(options: WebSocketOptions): Promise<WebSocketConnection>;
}

export interface WebSocketOptions {
  /** ws or wss. */
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
  /** False: any certificate. */
  readonly verify?: boolean;
  /** Time limit (ms) for the connection with its handshake. */
  readonly timeout_ms: number;
  readonly signal: AbortSignal;
}

export interface WebSocketConnection {
  /** The subprotocol that the server chose; empty: none. */
  readonly protocol: string;
  /** Fails when it takes too long: the other side does not read. */
  send(text: string, timeout_ms: number): Promise<void>;
  /** The next message, in order; undefined: the other side has closed. Fails when it takes too long. */
  next(timeout_ms: number): Promise<WebSocketMessage | undefined>;
  /** End of the connection, in words; undefined: it is open. */
  readonly ending: string | undefined;
  /** Ends the connection; more than once does no harm. */
  close(): Promise<void>;
}

export type WebSocketMessage =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array };
