import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

import { Failure } from '#schemas/types/failure.ts';

import type { BrowserProxy } from './port.ts';
import { answer, readGreeting, readRequest, welcome } from './socks-request.ts';
import type { Read, SocksRequest } from './socks-request.ts';

/** Codes of RFC 1928. */
const granted = 0;
const notAllowed = 2;
const hostUnreachable = 4;
const connectionRefused = 5;
/** A name that nobody knows is no refusal. */
const unresolved = 'SVC88003';

/** A client says what it wants within this time. */
const patienceMs = 10_000;
/** Connections at once: more than any browser keeps, fewer than the descriptors of a process. */
const mostConnections = 512;

/** The addresses of a host, each of which may be asked; rejects where one may not. */
export type CheckHost = (host: string) => Promise<readonly string[]>;

/** Begins to connect to an address. */
export type Dial = (address: string, port: number) => Socket;

export interface Listening extends BrowserProxy {
  close(): Promise<void>;
}

/**
 * Listens on loopback and connects whoever comes to the addresses that `check` gives for a host, and nowhere else.
 * SOCKS 5, because it carries pages, sub-resources and WebSockets alike, takes names as they are, and needs no reading
 * of HTTP: a request that two readers understand differently cannot get past it.
 */
export async function listen(
  check: CheckHost,
  dial: Dial = (host, port) => connect({ host, port }),
): Promise<Listening> {
  let refusal: Failure | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    hold(client, sockets);
    void serve(client, check, (address, port) => {
      const remote = dial(address, port);
      hold(remote, sockets);
      // A browser that no longer waits needs no connection.
      client.once('close', () => remote.destroy());
      return remote;
    }).catch((error: unknown) => {
      if (codeOf(error) === notAllowed) refusal = error as Failure;
      client.destroy();
    });
  });
  server.maxConnections = mostConnections;
  await new Promise<void>((ready, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', ready);
  });
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    takeRefusal: () => {
      const last = refusal;
      refusal = undefined;
      return last;
    },
    close: async () => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A socket ends with the server, and its errors end nothing else. */
function hold(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.on('error', () => socket.destroy());
  socket.once('close', () => sockets.delete(socket));
}

async function serve(client: Socket, check: CheckHost, dial: Dial): Promise<void> {
  client.setTimeout(patienceMs, () => client.destroy());
  const reader = new Reader(client);
  const greeting = await reader.next(readGreeting);
  client.write(welcome(greeting !== undefined));
  if (!greeting) return void client.end();
  const asked = await reader.next(readRequest);
  if (!asked) return void client.end();
  client.setTimeout(0);
  const remote = await reach(asked, check, dial).catch((error: unknown) => {
    client.write(answer(codeOf(error)));
    throw error;
  });
  client.write(answer(granted));
  join(client, remote, reader.rest);
}

function codeOf(error: unknown): number {
  if (!(error instanceof Failure)) return connectionRefused;
  return error.facts.code === unresolved ? hostUnreachable : notAllowed;
}

/** The first of the checked addresses that answers. */
async function reach({ host, port }: SocksRequest, check: CheckHost, dial: Dial): Promise<Socket> {
  let last: unknown = new Error('no address');
  for (const address of await check(host)) {
    const remote = dial(address, port);
    try {
      await new Promise<void>((ready, reject) => {
        remote.once('connect', ready);
        remote.once('error', reject);
        remote.once('close', () => reject(new Error('closed')));
      });
      return remote;
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

function join(client: Socket, remote: Socket, rest: Buffer): void {
  if (rest.length > 0) remote.write(rest);
  client.pipe(remote).pipe(client);
  remote.once('close', () => client.destroy());
}

/** Reads messages whose length only shows in them. */
class Reader {
  rest: Buffer = Buffer.alloc(0);
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Undefined where it is none, or the client has gone. */
  async next<Thing>(read: (bytes: Buffer) => Read<Thing>): Promise<Thing | undefined> {
    for (;;) {
      const found = read(this.rest);
      if (found === 'refused') return undefined;
      if (found !== 'incomplete') {
        this.rest = this.rest.subarray(found.length);
        return found.value;
      }
      const more = await this.#more();
      if (!more) return undefined;
      this.rest = Buffer.concat([this.rest, more]);
    }
  }

  #more(): Promise<Buffer | undefined> {
    const socket = this.#socket;
    return new Promise((resolve) => {
      const settle = (chunk?: Buffer): void => {
        socket.pause();
        socket.off('data', settle);
        socket.off('close', gone);
        resolve(chunk);
      };
      const gone = (): void => settle();
      if (socket.destroyed) return resolve(undefined);
      socket.once('data', settle);
      socket.once('close', gone);
      socket.resume();
    });
  }
}
