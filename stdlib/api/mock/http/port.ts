import type { Json } from '#schemas/types/json.ts';

import type { Names } from '../../look-up.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly mockHttp: MockHttp;
  }
}

/**
 * The HTTP mock of a unit. Routes may be added before and while it runs. It answers on the loopback address unless told
 * otherwise, and is gone with its routes at the end of the unit.
 */
export interface MockHttp {
  /** Fails where it runs already, and where it cannot listen. */
  start(options: MockStart): Promise<MockAddress>;
  /** Ends its connections and forgets routes, received requests, state and faults. Nothing happens where none runs. */
  stop(): Promise<void>;
  readonly isRunning: boolean;
  /** Adds all or none: fails where a route for one of their methods and the same paths is there. */
  add(...routes: readonly MockRoute[]): void;
  /** Kept requests, oldest first; a copy. */
  received(): readonly ReceivedRequest[];
  /** State, webhooks and faults, as its handlers see them. */
  readonly controls: MockControls;
  /** Calls back for every request from now on, when its answer is decided. */
  watch(heard: (request: ReceivedRequest) => void): void;
  /** Requests to webhook routes, the newest 100, oldest first; a copy. */
  webhooks(): readonly ReceivedRequest[];
}

export interface MockStart {
  /** Absent: that of the configuration, else 127.0.0.1. */
  readonly host?: string;
  /** 0: a free one. Absent: that of the configuration, else a free one. */
  readonly port?: number;
  readonly faults?: Partial<Faults>;
  /** A mock configuration file, from the working directory. */
  readonly config?: string;
  /** Pages of other origins may send requests and read the answers; that of the configuration, else not. */
  readonly cors?: boolean;
  /** `elsewhere`: the sections of other mocks are served by whoever starts this one. By default they are refused. */
  readonly others?: 'elsewhere';
  /** Names that its templates see beside the request. */
  readonly names: Names;
}

export interface MockAddress {
  /** Address without a slash at its end. */
  readonly url: string;
  readonly port: number;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';

export interface MockRoute {
  /** A path with parameters: `/orders/<int:id>`, `/files/<path:rest>`, `/users/{name}`. */
  readonly rule: string;
  readonly methods: readonly Method[];
  readonly isWebhook?: boolean;
  /** Present where it gives way to a route of the user's for the same paths, whichever was added first. */
  readonly isGenerated?: boolean;
  answer(request: MockRequest, tools: RouteTools): MockAnswer | Promise<MockAnswer>;
}

export interface RouteTools {
  /** Aborted when the mock stops. */
  readonly signal: AbortSignal;
  readonly controls: MockControls;
  /** Answers that rules with a limit gave. */
  readonly counts: Map<object, number>;
  /** Keeps an error beside the received request; the answer goes on. */
  note(error: unknown): void;
}

/** Request to a mock, read whole. */
export interface MockRequest {
  readonly method: string;
  /** Decoded, without query. */
  readonly path: string;
  /** As it came, where a segment holds an encoded slash. */
  readonly encodedPath?: string;
  /** Values of the parameters in the rule. */
  readonly params: Readonly<Record<string, string>>;
  /** The same encoded, where a segment holds an encoded slash. */
  readonly encodedParams?: Readonly<Record<string, string>>;
  /** A list where a name stands more than once. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null where the body is not JSON. */
  readonly json: Json;
  /** Text fields of a form; the first value of each name. */
  readonly form: Readonly<Record<string, string>>;
  /** Files of a multipart form. */
  readonly files: readonly {
    readonly field: string;
    readonly name: string;
    readonly type: string;
    readonly size: number;
  }[];
  /** The body as text. */
  readonly data: string;
  /** The body as it came. */
  readonly bytes: Uint8Array;
}

export interface MockAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Lines of `Set-Cookie`, in place of that header: they cannot be joined. */
  readonly set_cookies?: readonly string[];
  /** An object or list is sent as JSON, anything else as text. */
  readonly body?: Json;
  /** Sent in place of `body`, as they are. */
  readonly bytes?: Uint8Array;
  /** Sent one by one in place of `body`. */
  readonly pieces?: readonly AnswerPiece[];
  /** Time before it is sent; of a slow one also the time that its body takes (1). */
  readonly delay_seconds?: number;
  readonly fault?: AnswerFault;
  /** Present where it was worked out before. */
  readonly wire?: WireForm;
}

/** An answer as it goes over the wire; without content it has no body. */
export interface WireForm {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | string[]>>;
  readonly content?: Uint8Array | string;
}

export interface AnswerPiece {
  readonly text: string;
  /** Time before it is sent. */
  readonly wait_ms: number;
}

/**
 * `reset`: the connection is reset before the answer. `cut`: it ends in the middle of the body. `slow`: the body comes
 * in ten pieces. `wrong_length`: `Content-Length` says half of what is sent.
 */
export type AnswerFault = 'reset' | 'cut' | 'slow' | 'wrong_length';

/**
 * A function of the user's: it yields the body, or an object with `body`, and `status` and `headers` where they differ
 * from the usual.
 */
export type MockHandler = (request: MockRequest, mock: MockControls) => unknown;

/** Controls that a handler may use beside the request. */
export interface MockControls {
  readonly state: MockState;
  readonly webhooks: { all(): readonly ReceivedRequest[]; latest(): ReceivedRequest | null; clear(): void };
  configureFaults(faults: Partial<Faults>): void;
}

/** A map that all handlers of a mock share. */
export interface MockState {
  get(key: string, fallback?: Json): Json;
  set(key: string, value: Json): void;
  delete(key: string): void;
  clear(): void;
  snapshot(): Readonly<Record<string, Json>>;
}

export interface Faults {
  /** Before every answer. */
  readonly latency_seconds: number;
  /** Share of answers replaced by a failure, 0 to 1. */
  readonly failure_probability: number;
  readonly failure_status: number;
  readonly failure_body: string;
}

/** A request as `AT_mock_received` shows it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: Json;
  readonly form: Readonly<Record<string, string>>;
  /** First 64 KiB of the body. */
  readonly data: string;
  /** The rule that answered; null: none. */
  readonly route: string | null;
  readonly status: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Message of the error that a handler threw. */
  readonly error?: string;
}
