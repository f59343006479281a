import type { Clock, Host } from '#schemas/types/host.ts';

import type { ActionCalls } from './action-calls.ts';
import type { Callers } from './callers.ts';

/** A server that listens. */
export interface OpenServer {
  /** Host as it was asked for. */
  readonly host: string;
  readonly port: number;
  /** Whether it asks for a secret. */
  readonly auth: boolean;
  /**
   * Takes nothing more; calls under way may finish within some seconds, then they are cancelled. Yields how many did
   * either. The second call waits for the first.
   */
  stop(): Promise<StoppedCalls>;
  /** Resolves when it has stopped, whoever stopped it: a TCP server also ends by the word of a caller. */
  readonly ended: Promise<void>;
}

/** Number of calls that were under way when a server stopped, by how they ended. */
export interface StoppedCalls {
  readonly finished: number;
  readonly cancelled: number;
}

export interface ServerOptions {
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  readonly allowReachable: boolean;
}

/** A server that runs actions. */
export interface ActionServerOptions extends ServerOptions {
  readonly callers: Callers;
}

/** Surroundings that every server is given. */
export interface Surroundings {
  readonly calls: ActionCalls;
  readonly lookup: Host['lookup'];
  readonly clock: Clock;
  /** Hears of every call when it has ended. Never told of what was sent, nor of a secret. */
  readonly heard?: (call: HeardCall) => void;
}

/** A call as logs tell it. */
export interface HeardCall {
  readonly server: 'tcp' | 'http';
  readonly peer: string;
  /** Name of the caller, where callers have names. */
  readonly caller?: string | undefined;
  /** Names of the commands that it could run, in lists inside of its list too; absent where nothing has run. */
  readonly commands?: readonly string[] | undefined;
  /** `200`, `401`, …; of TCP `ok`, `auth`, `json`, `forbidden`, `refused`, `stop`. */
  readonly outcome: string;
  readonly ms: number;
}

/** Time (ms) that calls under way may take when a server stops. */
export const STOP_MS = 5000;
/** Bounds on the calls of one server. */
export const callLimits = { atOnce: 8, waiting: 256, seconds: 600 } as const;
/** Largest request. */
export const MOST_BYTES = 1024 * 1024;
/** Most connections at once: more wait to be accepted. */
export const MOST_CONNECTIONS = 16_384;
