import { isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import type { ClientOptions, RawData, WebSocket } from 'ws';

import type { PortContext, Ports, Provider } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { WEBSOCKET_FRAME_BYTES } from '#schemas/generated/settings.ts';
import { Failure } from '#schemas/types/failure.ts';
import type { Clock } from '#schemas/types/host.ts';

import type { WebSocketConnection, WebSocketMessage, WebSocketOptions } from './port.ts';

export const provider: Provider<'webSocket'> = {
  open: async (context) => {
    const outbound = await context.port('outbound');
    const open = new Set<Connection>();
    context.release(async () => {
      await Promise.all([...open].map((connection) => connection.close()));
    });
    return {
      connect: async (options) => {
        const connection = await connect(options, outbound, context);
        open.add(connection);
        return connection;
      },
    };
  },
};

/** Until the other side has answered a close, in milliseconds; then the connection is cut. */
const CLOSING_MS = 2000;

async function connect(
  options: WebSocketOptions,
  outbound: Ports['outbound'],
  context: PortContext,
): Promise<Connection> {
  const { url, timeout_ms: limit, signal } = options;
  const { default: Client } = await import('ws');
  signal.throwIfAborted();
  const socket = made(
    () =>
      new Client(url, [...(options.protocols ?? [])], {
        headers: options.headers,
        maxPayload: context.settings.limits?.websocket_frame_bytes ?? WEBSOCKET_FRAME_BYTES,
        followRedirects: false,
        // The port that decides what may be asked gives the socket.
        createConnection: ((given: { host?: string; hostname?: string; port?: number | string }) =>
          socketFor(given, url.protocol === 'wss:', options.verify ?? true, outbound)) as unknown as NonNullable<
          ClientOptions['createConnection']
        >,
      }),
  );
  const connection = new Connection(socket, url, context.host.clock);
  const abort = (): void => socket.terminate();
  signal.addEventListener('abort', abort, { once: true });
  let cancel: (() => void) | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      cancel = context.host.clock.timer(limit, () => {
        reject(fail.websocketTimeout({ url: url.href, seconds: limit / 1000, what: 'the handshake' }));
        socket.terminate();
      });
      socket.once('open', resolve);
      socket.once('unexpected-response', (_request, response) => {
        response.destroy();
        socket.terminate();
        reject(
          fail.websocketRefused({
            url: url.href,
            status: response.statusCode ?? 0,
            reason: response.statusMessage ?? '',
          }),
        );
      });
      socket.once('error', (error) => reject(failure(error, url)));
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    cancel?.();
    signal.removeEventListener('abort', abort);
  }
  signal.addEventListener('abort', () => socket.terminate(), { once: true });
  return connection;
}

/** A client; the package throws at once for an address or a subprotocol that the protocol does not know. */
function made(make: () => WebSocket): WebSocket {
  try {
    return make();
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw fail.httpHeader({ reason: cause.message, cause });
  }
}

function socketFor(
  { host, hostname, port }: { readonly host?: string; readonly hostname?: string; readonly port?: number | string },
  isSecure: boolean,
  verify: boolean,
  outbound: Ports['outbound'],
): Socket {
  const name = (hostname ?? host ?? '').replace(/^\[|\]$/g, '');
  const socket = outbound.socket().connect(Number(port), name);
  if (!isSecure) return socket;
  return connectTls({ socket, rejectUnauthorized: verify, ...(isIP(name) ? {} : { servername: name }) });
}

function failure(error: Error & { readonly code?: string }, url: URL): Error {
  // The port that decides has said why already.
  if (error instanceof Failure) return error;
  return fail.websocketFailed({ url: url.href, reason: error.code ?? error.message, cause: error });
}

class Connection implements WebSocketConnection {
  readonly #socket: WebSocket;
  readonly #url: URL;
  readonly #clock: Clock;
  readonly #messages: WebSocketMessage[] = [];
  #isClosed = false;
  #ending: string | undefined;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(socket: WebSocket, url: URL, clock: Clock) {
    this.#socket = socket;
    this.#url = url;
    this.#clock = clock;
    socket.on('message', (data, isBinary) => {
      const bytes = bytesOf(data);
      this.#messages.push(
        isBinary ? { kind: 'binary', bytes } : { kind: 'text', text: new TextDecoder().decode(bytes) },
      );
      this.#wake?.();
    });
    socket.on('close', (code, reason) => {
      this.#isClosed = true;
      this.#ending = endingOf(code, reason.toString());
      this.#wake?.();
    });
    // A broken frame or a cut connection; `close` follows.
    socket.on('error', (error) => {
      this.#error ??= error;
    });
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  get ending(): string | undefined {
    return this.#ending;
  }

  async send(text: string, timeoutMs: number): Promise<void> {
    let cancel: (() => void) | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        cancel = this.#clock.timer(timeoutMs, () =>
          reject(fail.websocketTimeout({ url: this.#url.href, seconds: timeoutMs / 1000, what: 'sending a message' })),
        );
        this.#socket.send(text, (error) => {
          if (error) reject(error);
          else resolve();
        });
      });
    } catch (error) {
      if (error instanceof Failure) throw error;
      // The code and reason of a close are known once the connection has ended.
      await this.close();
      throw failure(this.#error ?? new Error(this.#ending, { cause: error }), this.#url);
    } finally {
      cancel?.();
    }
  }

  async next(timeoutMs: number): Promise<WebSocketMessage | undefined> {
    if (this.#messages.length === 0 && !this.#isClosed) await this.#wait(timeoutMs);
    const message = this.#messages.shift();
    if (message) return message;
    if (this.#error) throw failure(this.#error, this.#url);
    if (this.#isClosed) return undefined;
    throw fail.websocketTimeout({ url: this.#url.href, seconds: timeoutMs / 1000, what: 'the next message' });
  }

  async #wait(timeoutMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.timer(timeoutMs, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    this.#wake = undefined;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.timer(CLOSING_MS, () => this.#socket.terminate());
      this.#socket.once('close', () => {
        cancel();
        resolve();
      });
      this.#socket.close(1000);
    });
  }
}

const NO_CODE = 1005;
const NO_CLOSING_FRAME = 1006;

function endingOf(code: number, reason: string): string {
  if (code === NO_CLOSING_FRAME) return 'the connection was cut';
  const how = code === NO_CODE ? 'without a code' : `with code ${code}`;
  return `the other side has closed the connection ${how}${reason === '' ? '' : ` (${reason})`}`;
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}
