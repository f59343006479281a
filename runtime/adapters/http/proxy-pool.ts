import type { Dispatcher } from 'undici';
import connect from 'undici/lib/api/api-connect.js';
import Base from 'undici/lib/dispatcher/dispatcher.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import Socks5ProxyAgent from 'undici/lib/dispatcher/socks5-proxy-agent.js';

import type { ClientIdentity } from './identity.ts';
import type { ConnectionPool, PoolOptions } from './connection-pool.ts';
import { patience } from './patience.ts';

/** A pool through a proxy, by its scheme. */
export function openProxyPool({ identity, http2 }: PoolOptions, proxy: URL): ConnectionPool {
  const agent = proxy.protocol.startsWith('socks') ? openSocks(identity, proxy) : openHttpProxy(identity, http2, proxy);
  return {
    dispatch: (request, handler) => {
      agent.dispatch(request, handler);
      return {};
    },
    looksUp: false,
    close: async () => {
      await agent.destroy();
    },
  };
}

function openHttpProxy(identity: ClientIdentity, http2: boolean, proxy: URL): Dispatcher {
  // The package's index puts its verbs on the prototype; the tunnel needs this one.
  Object.assign(Base.prototype, { connect });
  return new ProxyAgent({
    ...patience,
    uri: proxy.href,
    allowH2: http2,
    requestTls: { ...identity, allowH2: http2 },
    proxyTls: { rejectUnauthorized: identity.rejectUnauthorized, ...(identity.ca ? { ca: identity.ca } : {}) },
  });
}

function openSocks(identity: ClientIdentity, proxy: URL): Dispatcher {
  const address = proxy.href.replace(/^socks5h:/, 'socks5:');
  return withoutWarnings(() => new Socks5ProxyAgent(address, { ...patience, requestTls: { ...identity } }));
}

/** The agent warns whoever runs a file that its own interface may change: our concern, not theirs. */
function withoutWarnings<T>(make: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return make();
  } finally {
    process.emitWarning = emitWarning;
  }
}
