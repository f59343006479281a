import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { Failure } from '#schemas/types/failure.ts';

import { bindAddress } from '../bind-address.ts';
import { Busy, Calls } from '../calls.ts';
import { Connections, closed, endOnce, listen } from '../listening.ts';
import {
  callLimits,
  MOST_BYTES,
  MOST_CONNECTIONS,
  STOP_MS,
  type ActionServerOptions,
  type OpenServer,
  type Surroundings,
} from '../open-server.ts';
import { isBearer } from '../secret.ts';
import { headOf } from './head.ts';
import { openapiOf } from './openapi.ts';
import { openProgressSocket } from './progress-socket.ts';
import { ran, readActions, refusal, routeOf, tooLarge, type Answer, type HeadRules, type Route } from './protocol.ts';

/** The HTTP action server: `POST /actions`, `/healthz`, `/readyz`, `/openapi.json`, WebSocket `/progress`. */
export async function openHttpServer(options: ActionServerOptions, around: Surroundings): Promise<OpenServer> {
  const { host, secret } = options;
  const bound = await bindAddress(
    { server: 'HTTP action', host, allowReachable: options.allowReachable, secret },
    around.lookup,
  );
  const rules: HeadRules = {
    isSignedIn: ({ headers }) => secret === null || isBearer(headers['authorization'], secret),
    hosts: bound.isLoopback ? new Set([host.toLowerCase(), bound.address, '127.0.0.1', '[::1]', 'localhost']) : null,
    maxBytes: MOST_BYTES,
  };
  const calls = new Calls(callLimits, around.clock);
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      connectionsCheckingInterval: 1000,
      keepAliveTimeout: 5000,
      maxHeaderSize: 16 * 1024,
    },
    (message, response) => {
      answerTo(message, { options, around, rules, calls })
        .then((answer) => send(response, answer, message))
        .catch(() => response.destroy());
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.on('clientError', (error: Error & { readonly code?: string }, socket: Socket) => refuse(error.code, socket));
  const progress = await openProgressSocket(server, rules, around);
  const connections = new Connections(server);
  const port = await listen(server, { name: 'HTTP action', address: bound.address, port: options.port });
  const end = endOnce(async () => {
    const all = closed(server);
    server.closeIdleConnections();
    progress.end();
    await calls.end(STOP_MS);
    connections.end();
    await all;
  });
  return { host, port, auth: secret !== null, ...end };
}

interface Serving {
  readonly options: ActionServerOptions;
  readonly around: Surroundings;
  readonly rules: HeadRules;
  readonly calls: Calls;
}

async function answerTo(message: IncomingMessage, serving: Serving): Promise<Answer> {
  const { around, rules } = serving;
  const began = around.clock.monotonic();
  const route = routeOf(headOf(message), rules);
  const answer = typeof route === 'string' ? await answerOf(route, message, serving) : route;
  around.heard?.({
    server: 'http',
    peer: message.socket.remoteAddress ?? '',
    outcome: String(answer.status),
    ms: Math.round(around.clock.monotonic() - began),
  });
  return answer;
}

async function answerOf(route: Route, message: IncomingMessage, serving: Serving): Promise<Answer> {
  const { calls } = serving.around;
  switch (route) {
    case 'healthz':
      return { status: 200, body: { status: 'ok' } };
    case 'readyz':
      return (await calls.commands()).length > 0
        ? { status: 200, body: { status: 'ready', reason: 'ok' } }
        : { status: 503, body: { status: 'not_ready', reason: 'registry empty' } };
    case 'openapi':
      return { status: 200, body: openapiOf(await calls.commands(), serving.options.access) };
    case 'run':
      return run(message, serving);
    default:
      return route satisfies never;
  }
}

async function run(message: IncomingMessage, { options, around, rules, calls }: Serving): Promise<Answer> {
  const bytes = await bodyOf(message, rules.maxBytes);
  if (!bytes) return tooLarge(rules.maxBytes);
  const asked = readActions(bytes);
  if ('status' in asked) return asked;
  try {
    const { results, failed } = await calls.run((signal) =>
      around.calls.run(asked.actions, { access: options.access, signal, dryRun: asked.dryRun }),
    );
    return ran(results, failed);
  } catch (error) {
    if (error instanceof Busy) return { ...refusal(503, error.message), headers: { 'retry-after': '1' } };
    return failureAnswer(error);
  }
}

/** What these name is wrong with the list: nothing of it has run. */
const UNFIT: ReadonlySet<string> = new Set(['ValidationException', 'ExecuteActionException', 'JsonActionException']);

/** What did not run. */
function failureAnswer(error: unknown): Answer {
  if (!(error instanceof Failure)) return refusal(500, 'the server failed');
  if (error.name === 'ActionNotPermittedException') return refusal(403, error.message);
  return refusal(UNFIT.has(error.name) ? 422 : 500, error.message);
}

/** Undefined where it is too large; what is left of it is not read. */
async function bodyOf(message: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function send(
  response: ServerResponse,
  { status, headers = {}, body }: Answer,
  { method, complete }: IncomingMessage,
): void {
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...headers,
    ...(bytes && { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length }),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // What of the body was not read stands in the way of another request.
    ...(!complete && { connection: 'close' }),
  });
  response.end(method === 'HEAD' ? undefined : bytes);
}

/** What could not be read as a request still gets an answer. */
function refuse(code: string | undefined, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
