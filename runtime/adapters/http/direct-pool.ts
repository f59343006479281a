import { lookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';

import type { buildConnector } from 'undici';
import build from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';

import type { ConnectTimes, ConnectionPool, Passed, PoolOptions } from './connection-pool.ts';
import { namedLookup } from './named-lookup.ts';
import { patience } from './patience.ts';
import { pinnedLookup } from './pinned-lookup.ts';

/** A pool without a proxy. */
export function openDirectPool({ identity, http2, now, pins, names, line, socket }: PoolOptions): ConnectionPool {
  const find = pins ? pinnedLookup(pins) : names ? namedLookup(names, lookup) : lookup;
  const place = socket === undefined ? {} : { socketPath: socket };
  const connector = new TimedConnector(
    { ...identity, allowH2: http2, preferH2: http2, timeout: 0, ...place },
    now,
    find,
  );
  const connect = line ? line.holding(connector.connect) : connector.connect;
  const agent = new Agent({ ...patience, allowH2: http2, connect });
  return {
    dispatch: (request, handler, passed) => connector.during(() => agent.dispatch(request, handler), passed),
    looksUp: socket === undefined,
    close: async () => {
      connector.close();
      await agent.destroy();
    },
  };
}

/**
 * Makes connections, and says what the one for a given request cost: undici asks for a connection while it takes the
 * request, so the request that is being handed over at that moment is the one that pays.
 */
class TimedConnector {
  readonly connect: buildConnector.connector;
  #current: ConnectTimes | undefined;
  #passed: Passed | undefined;
  readonly #open = new Set<Socket>();

  constructor(options: buildConnector.BuildOptions, now: () => number, find: LookupFunction) {
    const timedLookup: LookupFunction = (host, lookupOptions, callback) => {
      const times = this.#current;
      const passed = this.#passed;
      const startedAt = now();
      find(host, lookupOptions, (...found) => {
        if (times) times.dns = now() - startedAt;
        passed?.('dns');
        callback(...found);
      });
    };
    const connect = build({ ...options, lookup: timedLookup });
    this.connect = (target, callback) => {
      const times: ConnectTimes = {};
      const passed = this.#passed;
      this.#current = times;
      const startedAt = now();
      // It yields the socket, which its type does not say.
      const socket = connect(target, callback) as unknown as Socket;
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
      socket.once('connect', () => {
        times.connect = now() - startedAt - (times.dns ?? 0);
        const connectedAt = now();
        passed?.('connect');
        socket.once('secureConnect', () => {
          times.tls = now() - connectedAt;
          passed?.('tls');
        });
      });
    };
  }

  /** The cost of the connection that `action` began, if it began one. */
  during(action: () => void, passed: Passed | undefined): ConnectTimes | undefined {
    this.#current = undefined;
    this.#passed = passed;
    action();
    return this.#current;
  }

  /** Connections that are still being made belong to no client yet. */
  close(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
