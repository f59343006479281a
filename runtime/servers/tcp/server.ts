import { createServer, type Socket } from 'node:net';

import { isLoopback } from '#grammar/http/hosts.ts';
import { Failure } from '#schemas/types/failure.ts';

import type { ActionsAsked } from '../asked-actions.ts';
import { bindAddress } from '../bind-address.ts';
import type { Caller } from '../callers.ts';
import { Busy, Calls } from '../calls.ts';
import { Connections, closed, endOnce, listen } from '../listening.ts';
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
import {
  asksForFrame,
  readRequest,
  refusalReply,
  refused,
  RequestEnd,
  resultReply,
  secretIn,
  stopReply,
  tooLarge,
  type Refused,
  type TcpRequest,
} from './protocol.ts';

/** Time (ms) in which a request must be there whole, however busily it drips. */
const REQUEST_MS = 60_000;
/** Time (ms) for which what comes behind a refused beginning is read: closed before, a connection loses its reply. */
const REFUSED_MS = 1000;

/** The TCP action server: one request and one reply a connection. */
export async function openTcpServer(options: ActionServerOptions, around: Surroundings): Promise<OpenServer> {
  const { host, callers } = options;
  const bound = await bindAddress(
    {
      server: 'TCP action',
      host,
      port: options.port,
      allowReachable: options.allowReachable,
      asksForSecret: callers.askForSecret,
    },
    around.lookup,
  );
  const calls = new Calls(callLimits, around.clock);
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    serve(socket, { options, around, calls, stop: () => void end.stop() }).catch(() => socket.destroy());
  });
  server.maxConnections = MOST_CONNECTIONS;
  const connections = new Connections(server);
  const end = endOnce(async () => {
    const all = closed(server);
    const stopped = await calls.end(STOP_MS);
    // Replies that are written still go out.
    const cancel = around.clock.timer(250, () => connections.end());
    await all;
    cancel();
    return stopped;
  });
  const port = await listen(server, { name: 'TCP action', address: bound.address, port: options.port });
  return { host, port, auth: callers.askForSecret, ...end };
}

interface Serving {
  readonly options: ActionServerOptions;
  readonly around: Surroundings;
  readonly calls: Calls;
  readonly stop: () => void;
}

async function serve(socket: Socket, serving: Serving): Promise<void> {
  const { around, options } = serving;
  const { callers, idleMs = IDLE_MS } = options;
  const began = around.clock.monotonic();
  const peer = socket.remoteAddress ?? '';
  socket.setTimeout(idleMs);
  const bytes = await requestOf(socket, serving);
  if (!bytes || (bytes instanceof Uint8Array && bytes.length === 0)) {
    socket.destroy();
    return;
  }
  const request = bytes instanceof Uint8Array ? readRequest(bytes, callers.askForSecret) : bytes;
  const { reply, ...told } = await replyTo(request, peer, serving);
  // A peer that does not take its reply, or keeps its end open behind it, is cut off too.
  socket.on('timeout', () => socket.destroy()).end(reply);
  if (request === bytes) around.clock.timer(REFUSED_MS, () => socket.destroy(), { background: true });
  around.heard?.({ server: 'tcp', peer, ...told, ms: Math.round(around.clock.monotonic() - began) });
}

/**
 * The bytes of a request, or the request that they make where their beginning is refused; undefined where the
 * connection fell silent, broke or took too long.
 */
function requestOf(socket: Socket, { options: { callers }, around: { clock } }: Serving): Promise<Asked> {
  const hasSecret = callers.askForSecret;
  const late = clock.monotonic() + REQUEST_MS;
  let isKnown = !hasSecret;
  return new Promise((resolve) => {
    const end = new RequestEnd();
    const done = (asked: Asked): void => {
      socket.removeListener('data', onData).removeListener('timeout', onIdle);
      // Bytes behind a request are not read.
      socket.resume();
      resolve(asked);
    };
    const onIdle = (): void => done(undefined);
    const onData = (chunk: Buffer): void => {
      const isWhole = end.add(chunk);
      if (end.size > MOST_BYTES) done(begun(end.bytes, tooLarge));
      else if (isWhole) done(end.bytes);
      else if (clock.monotonic() > late) done(undefined);
      else if (!isKnown) {
        // Nothing is kept for whoever does not know the secret.
        const secret = secretIn(end.bytes);
        isKnown = typeof secret === 'string' && callers.bySecret(secret) !== undefined;
        if (!isKnown && secret !== null) done(begun(end.bytes, tooLarge));
      }
    };
    socket.on('timeout', onIdle);
    socket.on('data', onData);
    socket.once('end', () => done(end.bytes));
    socket.once('close', () => done(undefined));
  });
}

type Asked = Buffer | TcpRequest | undefined;

/** A request that is refused by its beginning: for what is said, or for the secret where that is wrong. */
function begun(bytes: Buffer, asked: Refused): TcpRequest {
  return { isFramed: asksForFrame(bytes), secret: secretIn(bytes) ?? undefined, asked };
}

/** A reply, and what is told of how it came about. */
type Reply = { readonly reply: string } & Pick<HeardCall, 'outcome' | 'caller' | 'commands' | 'refused'>;

async function replyTo(request: TcpRequest, peer: string, serving: Serving): Promise<Reply> {
  const { options, around } = serving;
  const { asked, isFramed } = request;
  if (asked.kind === 'refused' && asked.outcome === 'empty') return { reply: '', outcome: 'empty' };
  if (asked.kind === 'refused' && asked.outcome === 'decode')
    return { reply: refusalReply(asked, isFramed), outcome: asked.outcome };
  const caller = options.callers.bySecret(request.secret);
  if (!caller) {
    await around.clock.sleep(WRONG_SECRET_MS);
    return { reply: refusalReply(refused('auth', 'auth error'), isFramed), outcome: 'auth' };
  }
  switch (asked.kind) {
    case 'refused':
      return { reply: refusalReply(asked, isFramed), outcome: asked.outcome };
    case 'stop':
      if (!isLoopback(peer))
        return {
          reply: refusalReply(refused('forbidden', 'forbidden: only this machine may stop the server'), isFramed),
          outcome: 'forbidden',
        };
      serving.stop();
      return { reply: stopReply(isFramed), outcome: 'stop' };
    case 'actions':
      return { caller: caller.name, ...(await run(asked, isFramed, { ...serving, access: caller.access })) };
    default:
      return asked satisfies never;
  }
}

async function run(
  { actions, dryRun }: ActionsAsked,
  isFramed: boolean,
  { access, around, calls }: Serving & Pick<Caller, 'access'>,
): Promise<Reply> {
  try {
    const { results, commands } = await calls.run((signal) => around.calls.run(actions, { access, signal, dryRun }));
    return { reply: resultReply(results, isFramed), outcome: 'ok', commands };
  } catch (error) {
    const told = refusalOf(error);
    return { reply: refusalReply(told, isFramed), outcome: told.outcome, refused: refusedCommand(error) };
  }
}

function refusalOf(error: unknown): ReturnType<typeof refused> {
  if (error instanceof Busy) return refused('busy', `execution error: ${error.message}`);
  if (!(error instanceof Failure)) return refused('execution', 'execution error: the server failed');
  if (error.name === 'ActionNotPermittedException') return refused('forbidden', `forbidden: ${error.message}`);
  return refused('execution', `execution error: ${error.message}`);
}
