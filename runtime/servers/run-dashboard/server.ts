import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { hostOf, ownHosts } from '#grammar/http/hosts.ts';
import type { Ports } from '#runtime/kernel/ports.ts';
import type { Clock, Host } from '#schemas/types/host.ts';

import { bindAddress } from '../bind-address.ts';
import { asset, htmlHeaders, markup, signIn, text, unauthorized } from '../dashboard/server.ts';
import { style } from '../dashboard/pages.ts';
import { SignedIn } from '../dashboard/signed-in.ts';
import { closed, Connections, endOnce, listen, NO_CALLS } from '../listening.ts';
import type { OpenServer } from '../open-server.ts';
import type { Page } from '../page-server.ts';
import { isBearer } from '../secret.ts';
import { followScript, recordPage } from './page.ts';
import type { RunDashboardOptions } from './port.ts';

export interface RunDashboardSurroundings {
  readonly lookup: Host['lookup'];
  readonly clock: Clock;
  readonly record: Pick<Ports['stepRecord'], 'all' | 'follow'>;
  /** 32 random bytes and more, as text. */
  readonly token: () => string;
}

type Step = ReturnType<Ports['stepRecord']['all']>[number];

/** Most readers of the stream at once. */
const MOST_READERS = 100;
/** Bytes that wait for a reader who does not read; beyond them the stream of that reader ends. */
const MOST_WAITING = 8 * 1024 * 1024;

/** Shows the record of a run: a page, the record as JSON, and a stream of the steps as they end. It changes nothing. */
export async function openRunDashboard(
  { host, port: wanted, secret, allowReachable }: RunDashboardOptions,
  around: RunDashboardSurroundings,
): Promise<OpenServer> {
  const bound = await bindAddress(
    { server: 'dashboard', host, port: wanted, allowReachable, asksForSecret: Boolean(secret) },
    around.lookup,
  );
  const hosts = bound.isLoopback ? ownHosts(host, bound.address) : null;
  const signedIn = new SignedIn(around.token);
  const streams = new Streams(around.record);
  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (hosts && !hosts.has(hostOf(message.headers.host ?? ''))) return give(response, text(403, 'host not allowed'));
    if (secret !== null && message.method === 'POST' && message.url === '/sign-in')
      return give(response, await signIn(message, secret, signedIn, around));
    if (message.method !== 'GET') return give(response, text(405, 'GET alone'));
    const isIn = secret === null || isBearer(message.headers.authorization, secret) || signedIn.has(message);
    if (!isIn) return give(response, await unauthorized(message, around));
    if (message.url === '/events') return streams.open(response);
    give(response, pageOf(message, around.record.all()));
  };
  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1000, maxHeaderSize: 16 * 1024 },
    (message, response) => void handle(message, response).catch(() => response.destroy()),
  );
  server.maxConnections = 1000;
  const connections = new Connections(server);
  const port = await listen(server, { name: 'dashboard', address: bound.address, port: wanted });
  const end = endOnce(async () => {
    streams.end();
    const all = closed(server);
    connections.end();
    await all;
    return NO_CALLS;
  });
  return { host, port, auth: secret !== null, ...end };
}

/** The streams of all readers. */
class Streams {
  readonly #record: RunDashboardSurroundings['record'];
  readonly #readers = new Set<ServerResponse>();
  readonly #stop: () => void;

  constructor(record: RunDashboardSurroundings['record']) {
    this.#record = record;
    this.#stop = record.follow((step) => {
      for (const reader of this.#readers) this.#send(reader, eventOf(step));
    });
  }

  open(response: ServerResponse): void {
    if (this.#readers.size >= MOST_READERS) return give(response, text(503, 'too many readers'));
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    this.#readers.add(response);
    response.once('close', () => this.#readers.delete(response));
    response.write(`retry: 1000\nevent: begin\ndata: {}\n\n`);
    this.#send(response, this.#record.all().map(eventOf).join(''));
  }

  end(): void {
    this.#stop();
    for (const reader of this.#readers) reader.end();
  }

  #send(reader: ServerResponse, events: string): void {
    if (events === '') return;
    if (reader.writableLength > MOST_WAITING) reader.destroy();
    else reader.write(events);
  }
}

function pageOf({ url = '' }: IncomingMessage, steps: readonly Step[]): Page {
  switch (url.split('?')[0]) {
    case '/':
    case '/index.html':
      return markup(recordPage());
    case '/records': {
      const records = steps.map(shown);
      const failed = records.filter(({ status }) => status === 'failed').length;
      const body = { total: records.length, passed: records.length - failed, failed, records };
      return asset('application/json; charset=utf-8', JSON.stringify(body));
    }
    case '/ui/follow.js':
      return asset('text/javascript; charset=utf-8', followScript);
    case '/ui/style.css':
      return asset('text/css; charset=utf-8', style);
    default:
      return text(404, 'not found');
  }
}

function shown({ function_name, name = '', time, program_exception: exception }: Step): {
  readonly function_name: string;
  /** Empty where its author gave it none. */
  readonly name: string;
  readonly time: string;
  readonly status: 'passed' | 'failed';
  readonly exception: string;
} {
  const isPassed = exception === 'None';
  return { function_name, name, time, status: isPassed ? 'passed' : 'failed', exception: isPassed ? '' : exception };
}

/** Data of an event stands on one line: JSON does. */
function eventOf(step: Step): string {
  return `event: step\ndata: ${JSON.stringify(shown(step))}\n\n`;
}

function give(response: ServerResponse, { status, headers, text: body }: Page): void {
  response.writeHead(status, {
    ...htmlHeaders,
    ...headers,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}
