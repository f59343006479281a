import { lookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';

import type { buildConnector, Dispatcher } from 'undici';

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
}

// The deadline of each request bounds waiting; undici's own limits would cut off what the user allowed.
const patience = { headersTimeout: 0, bodyTimeout: 0, connectTimeout: 0 };

/** Opens a lane. undici is loaded here and nowhere else, so a unit that sends nothing never loads it. */
export async function openLane(options: LaneOptions): Promise<Lane> {
  return options.proxy ? await openProxyLane(options, options.proxy) : await openDirectLane(options);
}

async function openDirectLane({ identity, http2, now }: LaneOptions): Promise<Lane> {
  const [{ default: Agent }, { default: build }] = await Promise.all([import('undici/lib/dispatcher/agent.js'), import('undici/lib/core/connect.js')]);
  const connector = new TimedConnector(build, { ...identity, allowH2: http2, preferH2: http2, timeout: 0 }, now);
  const agent = new Agent({ ...patience, allowH2: http2, connect: connector.connect });
  return {
    dispatch: (request, handler) => connector.during(() => agent.dispatch(request, handler)),
    close: async () => {
      connector.close();
      await agent.destroy();
    },
  };
}

async function openProxyLane({ identity, http2 }: LaneOptions, proxy: URL): Promise<Lane> {
  const agent = proxy.protocol.startsWith('socks') ? await openSocks(identity, proxy) : await openHttpProxy(identity, http2, proxy);
  return {
    dispatch: (request, handler) => {
      agent.dispatch(request, handler);
      return {};
    },
    close: async () => {
      await agent.destroy();
    },
  };
}

async function openHttpProxy(identity: ClientIdentity, http2: boolean, proxy: URL): Promise<Dispatcher> {
  const [{ default: ProxyAgent }, { default: Base }, { default: connect }] = await Promise.all([
    import('undici/lib/dispatcher/proxy-agent.js'),
    import('undici/lib/dispatcher/dispatcher.js'),
    import('undici/lib/api/api-connect.js'),
  ]);
  // The package's index puts its verbs on the prototype; the tunnel needs this one.
  Object.assign(Base.prototype, { connect });
  return new ProxyAgent({ ...patience, uri: proxy.href, allowH2: http2, requestTls: { ...identity, allowH2: http2 }, proxyTls: { rejectUnauthorized: identity.rejectUnauthorized, ...(identity.ca ? { ca: identity.ca } : {}) } });
}

async function openSocks(identity: ClientIdentity, proxy: URL): Promise<Dispatcher> {
  const { default: Socks5ProxyAgent } = await import('undici/lib/dispatcher/socks5-proxy-agent.js');
  return new Socks5ProxyAgent(proxy, { ...patience, requestTls: { ...identity } });
}

/**
 * Makes connections, and says what the one for a given request cost: undici asks for a connection while it takes the
 * request, so the request that is being handed over at that moment is the one that pays.
 */
class TimedConnector {
  readonly connect: buildConnector.connector;
  #current: ConnectTimes | undefined;
  readonly #open = new Set<Socket>();

  constructor(build: typeof buildConnector, options: buildConnector.BuildOptions, now: () => number) {
    const timedLookup: LookupFunction = (host, lookupOptions, callback) => {
      const times = this.#current;
      const startedAt = now();
      lookup(host, lookupOptions, (...found) => {
        if (times) times.dns = now() - startedAt;
        callback(...found);
      });
    };
    const connect = build({ ...options, lookup: timedLookup });
    this.connect = (target, callback) => {
      const times: ConnectTimes = {};
      this.#current = times;
      const startedAt = now();
      // It yields the socket, which its type does not say.
      const socket = connect(target, callback) as unknown as Socket;
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
      socket.once('connect', () => {
        times.connect = now() - startedAt - (times.dns ?? 0);
        const connectedAt = now();
        socket.once('secureConnect', () => {
          times.tls = now() - connectedAt;
        });
      });
    };
  }

  /** The cost of the connection that `action` began, if it began one. */
  during(action: () => void): ConnectTimes | undefined {
    this.#current = undefined;
    action();
    return this.#current;
  }

  /** Connections that are still being made belong to no client yet. */
  close(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
