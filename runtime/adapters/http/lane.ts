import type { Dispatcher } from 'undici';

import type { ClientIdentity } from './identity.ts';

/** A way out: a dispatcher with its connections. */
export interface Lane {
  /** Yields what making a connection for this request costs, filled while it is made; undefined: an open one is used. */
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): ConnectTimes | undefined;
  close(): Promise<void>;
}

export interface ConnectTimes {
  dns?: number;
  connect?: number;
  tls?: number;
}

export interface LaneOptions {
  readonly identity: ClientIdentity;
  readonly proxy?: URL;
  readonly http2: boolean;
  readonly now: () => number;
  /** Connects to these addresses of a host and asks nobody else; a host without any is refused. */
  readonly pins?: Pins;
}

/** Addresses that were checked, by host. */
export type Pins = ReadonlyMap<string, readonly string[]>;

/** Opens a lane. undici is loaded for it and for nothing else, so a unit that sends nothing never loads it. */
export async function openLane(options: LaneOptions): Promise<Lane> {
  if (options.proxy) return (await import('./proxy-lane.ts')).openProxyLane(options, options.proxy);
  return (await import('./direct-lane.ts')).openDirectLane(options);
}
