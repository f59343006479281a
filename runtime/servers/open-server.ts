import { Failure } from '#schemas/types/failure.ts';
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
  /** Time (ms) after which a peer that neither says nor takes anything is cut off (`IDLE_MS`). */
  readonly idleMs?: number;
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
  /** Command that the access list refuses; then nothing has run. */
  readonly refused?: string | undefined;
  /** `200`, `401`, …; of TCP `ok`, `auth`, `json`, `forbidden`, `refused`, `stop`. */
  readonly outcome: string;
  readonly ms: number;
}

/** The command for which the access list refused a list; undefined for any other failure. */
export function refusedCommand(error: unknown): string | undefined {
  if (!(error instanceof Failure) || error.name !== 'ActionNotPermittedException') return undefined;
  const { actual } = error.options;
  return typeof actual === 'string' ? actual : undefined;
}

/** Time (ms) that calls under way may take when a server stops. */
export const STOP_MS = 5000;
/** Time (ms) after which a peer is cut off that is owed nothing and says nothing, or does not take what it is sent. */
export const IDLE_MS = 30_000;
/** Time (ms) by which a wrong secret is answered late. */
export const WRONG_SECRET_MS = 500;
/** Bounds on the calls of one server. */
export const callLimits = { atOnce: 8, waiting: 256, seconds: 600 } as const;
/** Largest request. */
export const MOST_BYTES = 1024 * 1024;
/** Most connections at once: more wait to be accepted. */
export const MOST_CONNECTIONS = 16_384;
