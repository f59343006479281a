import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

import type { WebSocket } from 'ws';

import type { Clock } from '#schemas/types/host.ts';

import type { Callers } from '../callers.ts';
import { WRONG_SECRET_MS, type Surroundings } from '../open-server.ts';
import { headOf } from './head.ts';
import { foreignOf, unauthorized, upgradeRequired, type Answer, type HeadRules } from './protocol.ts';

/** Seconds between two frames, and time (ms) between two pings. */
const PERIOD_S = 1;
const PING_MS = 30_000;
/** A client that does not read is cut off when so much waits for it. */
const MOST_WAITING = 4 * 1024 * 1024;
/** A client has nothing to say here. */
const MOST_RECEIVED = 4096;

/** Time (ms) for which a frame is sent to whoever wants one: thousands may listen. */
const FRESH_MS = 20;

interface Around extends Surroundings {
  readonly callers: Callers;
}

/** Whether a target is that of the WebSocket. */
export function isProgress(target: string): boolean {
  return target === '/progress' || target.startsWith('/progress?');
}

/** WebSocket `/progress`: the named transfers at once and then again and again, until either side closes. */
export async function openProgressSocket(server: Server, rules: HeadRules, around: Around): Promise<{ end(): void }> {
  const { WebSocketServer } = await import('ws');
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_RECEIVED,
    perMessageDeflate: false,
  });
  const frames = framesOf(around);
  server.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const refused = upgradeRefused(message, rules);
    if (refused) {
      hear(message, refused, around);
      const late = refused.status === 401 ? WRONG_SECRET_MS : 0;
      around.clock.timer(late, () => end(socket, refused), { background: true });
      return;
    }
    sockets.handleUpgrade(message, socket, head, (opened) => {
      hear(message, undefined, around);
      tell(opened, periodOf(message.url ?? ''), frames, around.clock);
    });
  });
  sockets.on('wsClientError', (error, socket, message) => {
    const refused = handshakeRefused(message, error.message);
    hear(message, refused, around);
    end(socket, refused);
  });
  return {
    end: () => {
      for (const socket of sockets.clients) socket.close(1000);
    },
  };
}

function hear({ socket, headers }: IncomingMessage, refused: Answer | undefined, { callers, heard }: Around): void {
  heard?.({
    server: 'http',
    peer: socket.remoteAddress ?? '',
    caller: refused ? undefined : callers.byBearer(headers.authorization)?.name,
    outcome: String(refused?.status ?? 101),
    ms: 0,
  });
}

/** The frame of now, made once for all that ask at the same time. */
function framesOf({ calls, clock }: Around): () => string {
  let made = { at: -Infinity, text: '' };
  return () => {
    const at = clock.monotonic();
    if (at - made.at >= FRESH_MS) made = { at, text: JSON.stringify({ progress: calls.transfers().map(shown) }) };
    return made.text;
  };
}

function upgradeRefused(message: IncomingMessage, rules: HeadRules): Answer | undefined {
  const head = headOf(message);
  const foreign = foreignOf(head, rules.hosts);
  if (foreign) return foreign;
  if (!isProgress(head.target)) return { status: 404, body: { error: 'not found' } };
  if (head.headers['sec-websocket-key'] === undefined || !/websocket/i.test(head.headers['upgrade'] ?? ''))
    return upgradeRequired;
  return rules.isSignedIn(head) ? undefined : { ...unauthorized(head), body: { error: 'bad shared secret' } };
}

/** Answer to a handshake that the library refuses for the reason that it gives. */
function handshakeRefused({ method, headers }: IncomingMessage, reason: string): Answer {
  if (method !== 'GET') return { status: 405, headers: { allow: 'GET' }, body: { error: '/progress takes GET' } };
  if (headers['sec-websocket-version'] === '13') return { status: 400, body: { error: reason } };
  return { ...upgradeRequired, headers: { ...upgradeRequired.headers, 'sec-websocket-version': '13' } };
}

/** Seconds between two frames as the query says, from 0.2 to 60. */
function periodOf(target: string): number {
  const given = Number(new URLSearchParams(target.split('?')[1] ?? '').get('interval') ?? PERIOD_S);
  return Number.isFinite(given) ? Math.min(60, Math.max(0.2, given)) : PERIOD_S;
}

function tell(socket: WebSocket, period: number, frameOfNow: () => string, clock: Clock): void {
  let cancel: () => void = () => undefined;
  let cancelPing: () => void = () => undefined;
  const frame = (): void => {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MOST_WAITING) {
      socket.terminate();
      return;
    }
    socket.send(frameOfNow());
    cancel = clock.timer(period * 1000, frame, { background: true });
  };
  // However far apart frames are, whoever stands between cuts off what is silent for long.
  const ping = (): void => {
    if (socket.readyState === socket.OPEN) socket.ping();
    cancelPing = clock.timer(PING_MS, ping, { background: true });
  };
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    cancel();
    cancelPing();
  });
  frame();
  cancelPing = clock.timer(PING_MS, ping, { background: true });
}

function shown(transfer: ReturnType<Surroundings['calls']['transfers']>[number]): object {
  const { name, total, transferred, status, started_at: begun, finished_at: ended } = transfer;
  return { name, total, transferred, status, started_at: begun, finished_at: ended };
}

function end(socket: Duplex, { status, headers = {}, body }: Answer): void {
  const text = JSON.stringify(body ?? {});
  const lines = [
    `HTTP/1.1 ${status} ${reasons[status] ?? 'Refused'}`,
    ...Object.entries({ connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}`),
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`);
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  426: 'Upgrade Required',
  501: 'Not Implemented',
};
