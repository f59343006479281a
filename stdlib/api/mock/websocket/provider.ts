import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

import type { RawData, WebSocket, WebSocketServer } from 'ws';

import { percentDecoded } from '#grammar/source/percent-decoded.ts';
import type { PortContext, Provider } from '#runtime/kernel/ports.ts';
import { MOCK_FRAME_BYTES, MOCK_FRAMES } from '#schemas/generated/settings.ts';
import * as fail from '#schemas/generated/failures.ts';

import { frames, repliesTo } from './replies.ts';
import type { MockWebSocket, MockWebSocketStart, WebSocketScript } from './port.ts';

export const provider: Provider<'mockWebSocket'> = {
  open: (context) => {
    const mock = new Mock(context);
    context.release(() => mock.stop());
    context.eachRow(() => mock.save());
    return mock;
  },
};

interface Running {
  readonly server: Server;
  readonly sockets: WebSocketServer;
  readonly url: string;
  readonly options: MockWebSocketStart;
}

interface Frame {
  readonly path: string;
  readonly text: string;
}

class Mock implements MockWebSocket {
  readonly #context: PortContext;
  #running: Running | undefined;
  #frames: Frame[] = [];
  #heard: ((path: string, text: string) => void) | undefined;

  constructor(context: PortContext) {
    this.#context = context;
  }

  async start(options: MockWebSocketStart): Promise<string> {
    if (this.#running) throw fail.mockKindRunning({ kind: 'WebSocket', url: this.#running.url, kept: true });
    this.#frames = [];
    this.#running = await this.#listen(options);
    return this.#running.url;
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#frames = [];
    if (!running) return;
    for (const socket of running.sockets.clients) socket.terminate();
    running.sockets.close();
    running.server.closeAllConnections();
    await new Promise<void>((resolve) => running.server.close(() => resolve()));
  }

  received(path: string): readonly string[] {
    if (!this.#running) throw fail.mockKindNotRunning({ kind: 'WebSocket', command: 'websocket' });
    return this.#frames.filter((frame) => frame.path === path).map(({ text }) => text);
  }

  watch(heard: (path: string, text: string) => void): void {
    this.#heard = heard;
  }

  /** A mock that was started since is stopped; one that ran then runs again, at its old address. */
  save(): () => Promise<void> {
    const [before, frames] = [this.#running, [...this.#frames]];
    let running = before;
    return async () => {
      if (this.#running !== running) {
        await this.stop();
        running = before && (await this.#listen({ ...before.options, port: Number(new URL(before.url).port) }));
        this.#running = running;
      }
      this.#frames = [...frames];
    };
  }

  async #listen(options: MockWebSocketStart): Promise<Running> {
    const { WebSocketServer: Sockets } = await import('ws');
    const sockets = new Sockets({
      noServer: true,
      maxPayload: this.#context.settings.limits?.mock_frame_bytes ?? MOCK_FRAME_BYTES,
    });
    const server = createServer({ headersTimeout: 10_000 }, (_request, response) =>
      response.writeHead(426, { upgrade: 'websocket', connection: 'close' }).end(),
    );
    server.maxConnections = 1000;
    server.on('upgrade', (request, socket, head) => this.#upgrade({ request, socket, head }, sockets, options));
    const host = options.host === 'localhost' ? '127.0.0.1' : options.host;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(options.port, host, resolve);
    }).catch((cause: unknown) => {
      const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
      throw fail.mockKindAddress({ kind: 'WebSocket', host, port: options.port, reason, cause });
    });
    return { server, sockets, url: addressOf(server.address() as AddressInfo), options };
  }

  /** A path without a route is refused before the handshake; the query does not count. */
  #upgrade(
    { request, socket, head }: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
    sockets: WebSocketServer,
    { routes }: MockWebSocketStart,
  ): void {
    socket.on('error', () => socket.destroy());
    const sent = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const path = Object.hasOwn(routes, sent) ? sent : percentDecoded(sent);
    const script = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (!script) {
      // A client that never closes its side would keep the mock from stopping.
      socket.once('finish', () => socket.destroy());
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => this.#serve(client, path, script));
  }

  #serve(client: WebSocket, path: string, script: WebSocketScript): void {
    client.on('error', () => client.terminate());
    const { handler } = script;
    let before: Promise<void> = Promise.resolve();
    client.on('message', (data) => {
      const text = textOf(data);
      this.#keep({ path, text });
      if (!handler) {
        for (const reply of repliesTo(text, script)) client.send(reply);
        return;
      }
      // Answered in the order of the messages, however long a handler takes.
      before = before
        .then(async () => {
          for (const reply of frames(await handler(text))) client.send(reply);
        })
        .catch((error: unknown) => client.close(1011, String(error).slice(0, 100)));
    });
    if (typeof script.greeting === 'string') client.send(script.greeting);
  }

  #keep(frame: Frame): void {
    const most = this.#context.settings.limits?.mock_frames ?? MOCK_FRAMES;
    this.#frames.push(frame);
    this.#heard?.(frame.path, frame.text);
    // In blocks, so that a full list does not move all its frames for each one.
    if (this.#frames.length > most * 1.1) this.#frames = this.#frames.slice(-most);
  }
}

/** Binary frames too are shown as text, with replacement characters. */
function textOf(data: RawData): string {
  const bytes = Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? new Uint8Array(data) : data;
  return new TextDecoder().decode(bytes);
}

function addressOf({ address, port, family }: AddressInfo): string {
  const anywhere = { '0.0.0.0': '127.0.0.1', '::': '::1' }[address] ?? address;
  return `ws://${family === 'IPv6' ? `[${anywhere}]` : anywhere}:${port}`;
}
