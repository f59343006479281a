import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import { ownHosts } from '#grammar/http/hosts.ts';
import { refuseUnreadable } from '#grammar/http/unreadable.ts';
import { Failure } from '#schemas/types/failure.ts';

import { bindAddress } from '../bind-address.ts';
import type { Caller } from '../callers.ts';
import { Busy, Calls } from '../calls.ts';
import { Connections, closed, endOfTurn, endOnce, listen } from '../listening.ts';
import {
  callLimits,
  IDLE_MS,
  MOST_BYTES,
  MOST_CONNECTIONS,
  refusedCommand,
  STOP_MS,
  WRONG_SECRET_MS,
  type ActionServerOptions,
  type HeardCall,
  type OpenServer,
  type Surroundings,
} from '../open-server.ts';
import { askForBody, bodyOf, readAway } from './body.ts';
import { headOf } from './head.ts';
import { openapiOf } from './openapi.ts';
import { isProgress, openProgressSocket } from './progress-socket.ts';
import {
  ran,
  readActions,
  refusal,
  routeOf,
  tooLarge,
  unauthorized,
  type Answer,
  type HeadRules,
  type Route,
} from './protocol.ts';

/** The HTTP action server: `POST /actions`, `/healthz`, `/readyz`, `/openapi.json`, WebSocket `/progress`. */
export async function openHttpServer(options: ActionServerOptions, around: Surroundings): Promise<OpenServer> {
  const { host, callers } = options;
  const bound = await bindAddress(
    {
      server: 'HTTP action',
      host,
      port: options.port,
      allowReachable: options.allowReachable,
      asksForSecret: callers.askForSecret,
    },
    around.lookup,
  );
  const rules: HeadRules = {
    isSignedIn: ({ headers }) => callers.byBearer(headers['authorization']) !== undefined,
    hosts: bound.isLoopback ? ownHosts(host, bound.address) : null,
    maxBytes: MOST_BYTES,
  };
  const calls = new Calls(callLimits, around.clock);
  const ended = new WeakSet<Socket>();
  let described: Promise<string> | undefined;
  const openapi = (): Promise<string> =>
    (described ??= around.calls.commands().then((commands) => JSON.stringify(openapiOf(commands, callers))));
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 60_000,
      connectionsCheckingInterval: 1000,
      keepAliveTimeout: 5000,
      maxHeaderSize: 16 * 1024,
      // An upgrade to anything else is passed over, as HTTP asks for: clients offer HTTP/2 with every request.
      shouldUpgradeCallback: ({ url = '' }) => isProgress(url),
    },
    (message, response) => answer(message, response),
  );
  const answer = (message: IncomingMessage, response: ServerResponse): void => {
    serve(message, response, { options, around, rules, calls, openapi, ended }).catch(() => response.destroy());
  };
  server.on('checkContinue', answer);
  server.maxConnections = MOST_CONNECTIONS;
  server.on('clientError', (error: Error & { readonly code?: string }, socket: Socket) =>
    refuseUnreadable(error.code, socket),
  );
  const progress = await openProgressSocket(server, rules, { ...around, callers });
  const connections = new Connections(server);
  const port = await listen(server, { name: 'HTTP action', address: bound.address, port: options.port });
  const end = endOnce(async () => {
    const all = closed(server);
    server.closeIdleConnections();
    progress.end();
    const stopped = await calls.end(STOP_MS);
    // The answers of calls that have just ended go out in the first of these turns.
    await endOfTurn();
    await endOfTurn();
    connections.end();
    await all;
    return stopped;
  });
  return { host, port, auth: callers.askForSecret, ...end };
}

interface Serving {
  readonly options: ActionServerOptions;
  readonly around: Surroundings;
  readonly rules: HeadRules;
  readonly calls: Calls;
  /** The description of the server. One text for all: many may ask for it at once, and it is long. */
  readonly openapi: () => Promise<string>;
  /** Connections with a last answer: requests that came behind it, perhaps as a part of its body, are none. */
  readonly ended: WeakSet<Socket>;
}

/**
 * Answers a request. Answers of one turn of the event loop go out together: the first one wakes the client, which takes
 * the processor away, and the others find it awake.
 */
async function serve(message: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  if (serving.ended.has(message.socket)) return;
  const answer = await answerTo(message, response, serving);
  await endOfTurn();
  await send(response, answer, message, serving.around.clock);
  // A peer that does not take its answer is cut off, so that none is kept for long.
  const { socket } = message;
  if (socket.writableLength > 0) socket.setTimeout(serving.options.idleMs ?? IDLE_MS);
}

async function answerTo(message: IncomingMessage, response: ServerResponse, serving: Serving): Promise<Answer> {
  const { around, rules } = serving;
  const began = around.clock.monotonic();
  const route = routeOf(headOf(message), rules);
  if (typeof route !== 'string' && route.headers?.['connection']) serving.ended.add(message.socket);
  const { answer, ...told }: Answered =
    typeof route === 'string' ? await answerOf(route, message, response, serving) : { answer: route };
  if (answer.status === 401) await around.clock.sleep(WRONG_SECRET_MS);
  around.heard?.({
    server: 'http',
    peer: message.socket.remoteAddress ?? '',
    ...told,
    outcome: String(answer.status),
    ms: Math.round(around.clock.monotonic() - began),
  });
  return answer;
}

/** An answer, and what is told of how it came about. */
type Answered = { readonly answer: Answer } & Pick<HeardCall, 'caller' | 'commands' | 'refused'>;

async function answerOf(
  route: Route,
  message: IncomingMessage,
  response: ServerResponse,
  serving: Serving,
): Promise<Answered> {
  if (route === 'run') {
    const caller = serving.options.callers.byBearer(message.headers.authorization);
    if (!caller) return { answer: unauthorized(headOf(message)) };
    askForBody(message, response);
    return { caller: caller.name, ...(await run(message, caller, serving)) };
  }
  return { answer: await read(route, serving) };
}

async function read(route: Exclude<Route, 'run'>, serving: Serving): Promise<Answer> {
  const { calls } = serving.around;
  switch (route) {
    case 'healthz':
      return { status: 200, body: { status: 'ok' } };
    case 'readyz':
      return (await calls.commands()).length > 0
        ? { status: 200, body: { status: 'ready', reason: 'ok' } }
        : { status: 503, body: { status: 'not_ready', reason: 'registry empty' } };
    case 'openapi':
      return { status: 200, text: await serving.openapi() };
    default:
      return route satisfies never;
  }
}

async function run(message: IncomingMessage, { access }: Caller, { around, rules, calls }: Serving): Promise<Answered> {
  const bytes = await bodyOf(message, rules.maxBytes);
  if (!bytes) return { answer: tooLarge(rules.maxBytes) };
  const asked = readActions(bytes);
  if ('status' in asked) return { answer: asked };
  try {
    const { results, failed, commands } = await calls.run((signal) =>
      around.calls.run(asked.actions, { access, signal, dryRun: asked.dryRun }),
    );
    return { answer: ran(results, failed), commands };
  } catch (error) {
    if (error instanceof Busy) return { answer: { ...refusal(503, error.message), headers: { 'retry-after': '1' } } };
    return { answer: failureAnswer(error), refused: refusedCommand(error) };
  }
}

/** Failures of a list that is wrong in itself: nothing of it has run. */
const UNFIT: ReadonlySet<string> = new Set([
  'ValidationException',
  'ExecuteActionException',
  'JsonActionException',
  'DagException',
]);

/** Answer to a list that did not run. */
function failureAnswer(error: unknown): Answer {
  if (!(error instanceof Failure)) return refusal(500, 'the server failed');
  const { name, message, facts } = error;
  if (name === 'ActionNotPermittedException') return refusal(403, message);
  return refusal(UNFIT.has(name) ? 422 : 500, message, facts.help);
}

async function send(
  response: ServerResponse,
  { status, headers = {}, body, text = body === undefined ? undefined : JSON.stringify(body) }: Answer,
  message: IncomingMessage,
  clock: Surroundings['clock'],
): Promise<void> {
  const lines = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'];
  for (const [name, value] of Object.entries(headers)) lines.push(name, value);
  if (text !== undefined)
    lines.push('content-type', 'application/json; charset=utf-8', 'content-length', String(Buffer.byteLength(text)));
  const shown = message.method === 'HEAD' ? undefined : text;
  if (message.complete) {
    response.writeHead(status, lines).end(shown);
    return;
  }
  // The rest of a body that was not read would be taken for another request.
  if (!headers['connection']) lines.push('connection', 'close');
  response.writeHead(status, lines).write(shown ?? '');
  await readAway(message, clock);
  response.end();
}
