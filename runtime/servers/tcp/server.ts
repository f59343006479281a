import { createServer, type Socket } from 'node:net';

import { isLoopback } from '#grammar/http/hosts.ts';
import { Failure } from '#schemas/types/failure.ts';

import { bindAddress } from '../bind-address.ts';
import type { Caller } from '../callers.ts';
import { Busy, Calls } from '../calls.ts';
import { Connections, closed, endOnce, listen } from '../listening.ts';
import {
  callLimits,
  MOST_BYTES,
  MOST_CONNECTIONS,
  STOP_MS,
  type ActionServerOptions,
  type HeardCall,
  type OpenServer,
  type Surroundings,
} from '../open-server.ts';
import { readRequest, refusalReply, refused, RequestEnd, resultReply, stopReply, type TcpRequest } from './protocol.ts';

/** A connection that says nothing is cut. */
const IDLE_MS = 30_000;
/** A wrong secret is answered late. */
const WRONG_SECRET_MS = 500;

/** The TCP action server: one request and one reply a connection. */
export async function openTcpServer(options: ActionServerOptions, around: Surroundings): Promise<OpenServer> {
  const { host, callers } = options;
  const bound = await bindAddress(
    { server: 'TCP action', host, allowReachable: options.allowReachable, asksForSecret: callers.askForSecret },
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
  const began = around.clock.monotonic();
  const peer = socket.remoteAddress ?? '';
  const bytes = await requestOf(socket, options.callers.askForSecret);
  if (!bytes || bytes.length === 0) {
    socket.destroy();
    return;
  }
  const { reply, ...told } = await replyTo(readRequest(bytes, options.callers.askForSecret), peer, serving);
  socket.end(reply);
  around.heard?.({ server: 'tcp', peer, ...told, ms: Math.round(around.clock.monotonic() - began) });
}

/** The bytes of a request; undefined where it is too large, or its connection fell silent or broke. */
function requestOf(socket: Socket, hasSecret: boolean): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const end = new RequestEnd(hasSecret);
    const done = (bytes: Buffer | undefined): void => {
      socket.removeListener('data', onData).setTimeout(0, onIdle);
      // Bytes behind a request are not read.
      socket.resume();
      resolve(bytes);
    };
    const onIdle = (): void => done(undefined);
    const onData = (chunk: Buffer): void => {
      const isWhole = end.add(chunk);
      if (end.size > MOST_BYTES) done(undefined);
      else if (isWhole) done(end.bytes);
    };
    socket.setTimeout(IDLE_MS, onIdle);
    socket.on('data', onData);
    socket.once('end', () => done(end.bytes));
    socket.once('close', () => done(undefined));
  });
}

/** A reply, and what is told of how it came about. */
type Reply = { readonly reply: string } & Pick<HeardCall, 'outcome' | 'caller' | 'commands'>;

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
      return { caller: caller.name, ...(await run(asked.actions, isFramed, { ...serving, access: caller.access })) };
    default:
      return asked satisfies never;
  }
}

async function run(
  actions: Parameters<Surroundings['calls']['run']>[0],
  isFramed: boolean,
  { access, around, calls }: Serving & Pick<Caller, 'access'>,
): Promise<Reply> {
  try {
    const { results, commands } = await calls.run((signal) => around.calls.run(actions, { access, signal }));
    return { reply: resultReply(results, isFramed), outcome: 'ok', commands };
  } catch (error) {
    const told = refusalOf(error);
    return { reply: refusalReply(told, isFramed), outcome: told.outcome };
  }
}

function refusalOf(error: unknown): ReturnType<typeof refused> {
  if (error instanceof Busy) return refused('busy', `execution error: ${error.message}`);
  if (!(error instanceof Failure)) return refused('execution', 'execution error: the server failed');
  if (error.name === 'ActionNotPermittedException') return refused('forbidden', `forbidden: ${error.message}`);
  return refused('execution', `execution error: ${error.message}`);
}
