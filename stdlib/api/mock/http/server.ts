import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { refuseUnreadable } from '#grammar/http/unreadable.ts';
import * as fail from '#schemas/generated/failures.ts';

import type { MockAddress } from './port.ts';

export interface OpenServer {
  readonly address: MockAddress;
  /** Host as it was asked for. */
  readonly host: string;
  close(): Promise<void>;
}

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  /** Until the headers of a request must be there. */
  readonly headersMs: number;
  /** Until a request must be there whole. */
  readonly requestMs: number;
  /** Whatever goes wrong ends the connection. */
  answer(message: IncomingMessage, response: ServerResponse): void | Promise<void>;
}

/** Listens, with bounds on headers, time and connections, so that a client that never ends its request is put out. */
export async function openServer(options: ServerOptions): Promise<OpenServer> {
  const server = createServer(
    {
      headersTimeout: options.headersMs,
      requestTimeout: options.requestMs,
      connectionsCheckingInterval: Math.min(options.headersMs, 1000),
      keepAliveTimeout: 5000,
      maxHeaderSize: 16 * 1024,
    },
    (message, response) => {
      try {
        options.answer(message, response)?.catch(() => response.destroy());
      } catch {
        response.destroy();
      }
    },
  );
  server.maxConnections = 1000;
  server.on('clientError', (error: Error & { readonly code?: string }, socket: Socket) =>
    refuseUnreadable(error.code, socket),
  );
  const host = options.host === 'localhost' ? '127.0.0.1' : options.host;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(options.port, host, resolve);
    });
  } catch (cause) {
    throw fail.mockAddress({
      host,
      port: options.port,
      reason: cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause),
      cause,
    });
  }
  return {
    address: addressOf(server.address() as AddressInfo),
    host,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

function addressOf({ address, port, family }: AddressInfo): MockAddress {
  const anywhere = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  return { url: `http://${family === 'IPv6' ? `[${anywhere}]` : anywhere}:${port}`, port };
}
