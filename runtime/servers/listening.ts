import type { AddressInfo, Server, Socket } from 'node:net';

import * as fail from '#schemas/generated/failures.ts';

import type { OpenServer, StoppedCalls } from './open-server.ts';

/** Begins to listen; fails with words of our own. Yields the port. */
export async function listen(
  server: Server,
  { name, address, port }: { readonly name: string; readonly address: string; readonly port: number },
): Promise<number> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, address, () => {
        server.removeListener('error', reject);
        resolve();
      });
    });
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw fail.serverAddress({ server: name, host: address, port, reason, cause });
  }
  // A connection that could not be accepted is no reason to end: others are.
  server.on('error', () => undefined);
  return (server.address() as AddressInfo).port;
}

/** Servers of pages have no calls to wait for. */
export const NO_CALLS: StoppedCalls = { finished: 0, cancelled: 0 };

/** The connections of a server, so that it can end them. */
export class Connections {
  readonly #open = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
      // A peer that goes away is no failure of the server's.
      socket.on('error', () => socket.destroy());
    });
  }

  end(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

/** Resolves when the event loop has heard everything that has arrived by now. */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Wraps `stop` so that it runs once, however often it is called, and `ended` resolves when it has. */
export function endOnce(stop: () => Promise<StoppedCalls>): Pick<OpenServer, 'stop' | 'ended'> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  let stopping: Promise<StoppedCalls> | undefined;
  return { stop: () => (stopping ??= stop().finally(resolve)), ended };
}

/** Closes a server whose connections are ended. */
export function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
