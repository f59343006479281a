import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { McpHttpHandler } from '@modelcontextprotocol/server';

import { ownHosts } from '#grammar/http/hosts.ts';

import { bindAddress } from '../bind-address.ts';
import { askForBody, bodyOf, readAway } from '../http/body.ts';
import { headOf } from '../http/head.ts';
import { foreignOf, isTooLong, tooLarge, unauthorized, type Answer, type RequestHead } from '../http/protocol.ts';
import type { Calls } from '../calls.ts';
import { closed, Connections, endOfTurn, endOnce, listen } from '../listening.ts';
import {
  IDLE_MS,
  MOST_BYTES,
  STOP_MS,
  WRONG_SECRET_MS,
  type OpenServer,
  type ServerOptions,
  type Surroundings,
} from '../open-server.ts';
import { isBearer } from '../secret.ts';
import type { MakeServer } from './server.ts';
import { messageIn, SESSION, UnderWay } from './under-way.ts';

export interface McpHttpOptions extends ServerOptions {
  readonly secret: string | null;
  /** Turns of the calls that `make` makes. */
  readonly turns: Calls;
  /** Hears of each request that is refused before it is a call, by the address that it came from and the status. */
  readonly refused?: (peer: string, status: number) => void;
}

/** The path at which tools are served. */
export const MCP_PATH = '/mcp';

/**
 * Tools over streamable HTTP at `/mcp`: every request stands for itself. A client is given a session for what it
 * cancels.
 */
export async function openMcpHttp(
  options: McpHttpOptions,
  make: MakeServer,
  { lookup, clock }: Pick<Surroundings, 'lookup' | 'clock'>,
): Promise<OpenServer> {
  const { host, secret } = options;
  const bound = await bindAddress(
    { server: 'MCP', host, port: options.port, allowReachable: options.allowReachable, asksForSecret: Boolean(secret) },
    lookup,
  );
  const hosts = bound.isLoopback ? ownHosts(host, bound.address) : null;
  const { createMcpHandler } = await import('@modelcontextprotocol/server');
  const handler = createMcpHandler(make, { maxRequestBodySize: MOST_BYTES });
  // A refusal is the last answer: requests that came behind it, perhaps as a part of its body, are none.
  const ended = new WeakSet<Socket>();
  const underWay = new UnderWay();
  const refused = async (head: RequestHead): Promise<Answer | undefined> => {
    if (head.target !== MCP_PATH) return { status: 404, body: { error: 'not found' } };
    if (secret === null || isBearer(head.headers['authorization'], secret))
      return isTooLong(head.headers, MOST_BYTES) ? tooLarge(MOST_BYTES) : undefined;
    await clock.sleep(WRONG_SECRET_MS);
    return unauthorized(head);
  };
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      connectionsCheckingInterval: 1000,
      keepAliveTimeout: 5000,
      maxHeaderSize: 16 * 1024,
    },
    (message, response) => answer(message, response),
  );
  const answer = (message: IncomingMessage, response: ServerResponse): void => {
    if (ended.has(message.socket)) return;
    const head = headOf(message);
    const foreign = foreignOf(head, hosts);
    if (foreign) ended.add(message.socket);
    void (async () => {
      const unfit = foreign ?? (await refused(head));
      if (!unfit) askForBody(message, response);
      const body = unfit ? undefined : await bodyOf(message, MOST_BYTES);
      const refusal = body ? undefined : (unfit ?? tooLarge(MOST_BYTES));
      const tell = (status: number): void => options.refused?.(message.socket.remoteAddress ?? '', status);
      if (refusal) tell(refusal.status);
      if (body) await serve(message, response, { body, handler, underWay, refused: tell });
      if (refusal) await refuse(message, response, refusal, clock);
      // A client that does not take its answer is cut off.
      if (message.socket.writableLength > 0) message.socket.setTimeout(IDLE_MS);
    })().catch(() => response.destroy());
  };
  server.on('checkContinue', answer);
  server.maxConnections = 1000;
  const connections = new Connections(server);
  const port = await listen(server, { name: 'MCP', address: bound.address, port: options.port });
  const end = endOnce(async () => {
    const all = closed(server);
    server.closeIdleConnections();
    const stopped = await options.turns.end(STOP_MS);
    // The answers of calls that have just ended go out in the first of these turns.
    await endOfTurn();
    await endOfTurn();
    await handler.close();
    connections.end();
    await all;
    return stopped;
  });
  return { host, port, auth: secret !== null, ...end };
}

async function refuse(
  message: IncomingMessage,
  response: ServerResponse,
  { status, headers = {}, body }: Answer,
  clock: Surroundings['clock'],
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body ?? {}));
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    connection: 'close',
  });
  response.write(bytes);
  if (!message.complete) await readAway(message, clock);
  response.end();
}

interface Serving {
  readonly body: Uint8Array;
  readonly handler: Pick<McpHttpHandler, 'fetch'>;
  readonly underWay: UnderWay;
  readonly refused: (status: number) => void;
}

/** Answers a request by the SDK. It ends early where its client goes away or cancels it; then it gets no answer. */
async function serve(
  message: IncomingMessage,
  response: ServerResponse,
  { body, handler, underWay, refused }: Serving,
): Promise<void> {
  const over = new AbortController();
  const request = requestOf(message, body, over.signal);
  response.once('close', () => {
    // Held until then: its signal follows ours only for as long as somebody holds the request, and the SDK does not.
    if (!request.signal.aborted) over.abort();
  });
  const asked = messageIn(body);
  const session = message.headers[SESSION];
  const forget = underWay.take(asked, typeof session === 'string' ? session : undefined, over);
  try {
    // Given as read: of a body that it reads, the SDK makes a copy of the request, which nobody holds.
    const answer = await handler.fetch(request, asked && { parsedBody: asked });
    // Clients ask for a stream of their own and end their session as a matter of course: there is neither.
    if (answer.status >= 400 && answer.status !== 405) refused(answer.status);
    if (answer.ok && asked?.['method'] === 'initialize') response.setHeader(SESSION, crypto.randomUUID());
    await pass(answer, response);
  } finally {
    forget();
  }
}

/** The request as the SDK takes it. */
function requestOf(message: IncomingMessage, body: Uint8Array, signal: AbortSignal): Request {
  const { method = 'GET' } = message;
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`http://127.0.0.1${MCP_PATH}`, {
    method,
    headers,
    signal,
    ...(hasBody && { body: Uint8Array.from(body) }),
  });
}

async function pass(answer: Response, response: ServerResponse): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body) for await (const chunk of answer.body) response.write(chunk);
  response.end();
}
