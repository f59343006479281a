declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly mockWebSocket: MockWebSocket;
  }
}

/** The scripted WebSocket mock of a unit. It is gone with what it received at the end of the unit. */
export interface MockWebSocket {
  /** Fails where it runs already, and where it cannot listen. Yields its base address, `ws://…`. */
  start(options: MockWebSocketStart): Promise<string>;
  /** Cuts its connections and forgets what it received. Nothing happens where none runs. */
  stop(): Promise<void>;
  /** The frames that came on a path, oldest first, of all its connections; a copy. Fails where none runs. */
  received(path: string): readonly string[];
  /** Calls back for every frame from now on. */
  watch(heard: (path: string, text: string) => void): void;
}

export interface MockWebSocketStart {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** Looked up for every connection: a path that is added later is served, too. */
  readonly routes: Readonly<Record<string, WebSocketScript>>;
}

/** Answers of a path; `{{message}}` in a reply is the message that it answers. */
export interface WebSocketScript {
  /** Sent on connect. */
  readonly greeting?: string | null;
  /** Replies by the whole message; null sends nothing. */
  readonly replies?: Readonly<Record<string, string | null | readonly string[]>>;
  /** Answers all other messages; null sends nothing, absent: it echoes. */
  readonly fallback?: string | null;
  /** Takes the place of replies and fallback; null sends nothing. Where it throws, the connection ends with 1011. */
  readonly handler?: WebSocketHandler;
}

type WebSocketReply = string | null | readonly string[];
export type WebSocketHandler = (message: string) => WebSocketReply | Promise<WebSocketReply>;
