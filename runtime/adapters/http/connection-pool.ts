import type { Dispatcher } from 'undici';

import type { ClientIdentity } from './identity.ts';
import type { StartingLine } from './starting-line.ts';

/** Connections to servers, kept between requests. */
export interface ConnectionPool {
  /**
   * Sends a request. Yields the times (ms) of making its connection, filled while it is made; undefined: an open one is
   * used. `passed` hears of each part of making it that has ended.
   */
  dispatch(
    options: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    passed?: Passed,
  ): ConnectTimes | undefined;
  /** Whether it looks hosts up itself; else its connections begin with connecting. */
  readonly looksUp: boolean;
  close(): Promise<void>;
}

export type Passed = (part: keyof ConnectTimes) => void;

export interface ConnectTimes {
  dns?: number;
  connect?: number;
  tls?: number;
}

export interface PoolOptions {
  readonly identity: ClientIdentity;
  readonly proxy?: URL;
  readonly http2: boolean;
  readonly now: () => number;
  /** Path of a Unix socket in place of hosts and ports. */
  readonly socket?: string;
  /** Makes connections wait for one another. */
  readonly line?: StartingLine;
  /** Connects to these addresses of a host and asks nobody else; a host without any is refused. */
  readonly pins?: Pins;
  /** Addresses of hosts by name in lower case; others are asked for. */
  readonly names?: Readonly<Record<string, string>>;
}

/** Addresses that were checked, by host. */
export type Pins = ReadonlyMap<string, readonly string[]>;

/** Opens a pool. undici is loaded for it and for nothing else, so a unit that sends nothing never loads it. */
export async function openPool(options: PoolOptions): Promise<ConnectionPool> {
  if (options.proxy) return (await import('./proxy-pool.ts')).openProxyPool(options, options.proxy);
  return (await import('./direct-pool.ts')).openDirectPool(options);
}
