import { createServer, type IncomingMessage } from 'node:http';

import { hostOf, ownHosts } from '#grammar/http/hosts.ts';

import { bindAddress, type BindRules } from './bind-address.ts';
import { closed, Connections, endOnce, listen, NO_CALLS } from './listening.ts';
import type { OpenServer, ServerOptions, Surroundings } from './open-server.ts';

/** A page as a server of pages gives it. */
export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface PageServerOptions extends ServerOptions {
  readonly server: string;
  /** Absent: the server never asks for one. */
  readonly secret?: string | null;
  page(message: IncomingMessage): Page | Promise<Page>;
}

/** Answer to who asks by a name that somebody else gave this machine (DNS rebinding). */
const foreign: Page = {
  status: 403,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  text: 'host not allowed',
};

/** A server of small pages that change nothing. */
export async function openPageServer(
  options: PageServerOptions,
  { lookup }: Pick<Surroundings, 'lookup'>,
): Promise<OpenServer> {
  const { host, server: name } = options;
  const rules: BindRules = {
    server: name,
    host,
    port: options.port,
    allowReachable: options.allowReachable,
    ...('secret' in options && { asksForSecret: Boolean(options.secret) }),
  };
  const bound = await bindAddress(rules, lookup);
  const hosts = bound.isLoopback ? ownHosts(host, bound.address) : null;
  const isOwn = ({ headers }: IncomingMessage): boolean => !hosts || hosts.has(hostOf(headers.host ?? ''));
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 1000,
      keepAliveTimeout: 5000,
      maxHeaderSize: 16 * 1024,
    },
    (message, response) => {
      void (async () => {
        try {
          const { status, headers, text } = isOwn(message) ? await options.page(message) : foreign;
          response.writeHead(status, {
            ...headers,
            'content-length': Buffer.byteLength(text),
            'x-content-type-options': 'nosniff',
          });
          response.end(message.method === 'HEAD' ? undefined : text);
        } catch {
          response.destroy();
        }
      })();
    },
  );
  server.maxConnections = 1000;
  const connections = new Connections(server);
  const port = await listen(server, { name, address: bound.address, port: options.port });
  const end = endOnce(async () => {
    const all = closed(server);
    connections.end();
    await all;
    return NO_CALLS;
  });
  return { host, port, auth: Boolean(options.secret), ...end };
}
