import { createServer, type IncomingMessage } from 'node:http';

import { ownHosts } from '#grammar/http/hosts.ts';

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
  /** `hosts`: names that the server may be asked by; null: any. */
  page(message: IncomingMessage, hosts: ReadonlySet<string> | null): Page | Promise<Page>;
}

/** A server of small pages that change nothing. */
export async function openPageServer(
  options: PageServerOptions,
  { lookup }: Pick<Surroundings, 'lookup'>,
): Promise<OpenServer> {
  const { host, server: name } = options;
  const rules: BindRules = {
    server: name,
    host,
    allowReachable: options.allowReachable,
    ...('secret' in options && { asksForSecret: Boolean(options.secret) }),
  };
  const bound = await bindAddress(rules, lookup);
  const hosts = bound.isLoopback ? ownHosts(host, bound.address) : null;
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
          const { status, headers, text } = await options.page(message, hosts);
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
