import { connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

import type { Host } from '#schemas/types/host.ts';

import type { Transport } from './transport.ts';

/** First line of a worker, so that nothing else on this machine is taken for it. */
const TOKEN = /^[0-9a-f]{32}\n/;
/** Length of the token with its line end. */
const GREETING = 33;

/** Time (ms) that a connection may take to send its token. */
const PATIENCE_MS = 10_000;

export interface Listening {
  /** Path of a socket, or name of a pipe. */
  readonly address: string;
  /** Known to the worker alone. */
  readonly token: string;
  /** The transport to whoever connects with the token, once. Others are let go. */
  readonly accepted: Promise<Transport>;
  close(): void;
}

/** Listens for one worker on a local socket in a folder that is this user's alone; on Windows on a named pipe. */
export async function listen(host: Pick<Host, 'platform' | 'random'>, folder: string): Promise<Listening> {
  const id = host.random.uuid();
  const token = Buffer.from(host.random.bytes(16)).toString('hex');
  const address = host.platform === 'win32' ? `\\\\.\\pipe\\svc-${id}` : join(folder, `w-${id.slice(0, 8)}`);
  const server = createServer();
  const accepted = new Promise<Transport>((resolve) => {
    server.on('connection', (socket) => greeted(socket, token, (transport) => (server.close(), resolve(transport))));
  });
  await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(address, resolve));
  return { address, token, accepted, close: () => closed(server) };
}

/** The worker's end. Fails as the system does. */
export async function connect(address: string, token: string): Promise<Transport> {
  const socket = connectTo(address);
  await new Promise<void>((resolve, reject) => void socket.once('error', reject).once('connect', resolve));
  const transport = transportOf(socket);
  await transport.send(`${token}\n`);
  return transport;
}

function greeted(socket: Socket, token: string, accept: (transport: Transport) => void): void {
  let said = '';
  socket.setEncoding('utf8');
  socket.on('error', () => socket.destroy());
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  const hear = (piece: string): void => {
    said += piece;
    if (said.length < GREETING) return;
    socket.off('data', hear).setTimeout(0);
    if (!TOKEN.test(said) || said.slice(0, GREETING - 1) !== token) return void socket.destroy();
    socket.pause();
    accept(transportOf(socket, said.slice(GREETING)));
  };
  socket.on('data', hear);
}

function transportOf(socket: Socket, first = ''): Transport {
  socket.setEncoding('utf8');
  // An error ends it: the channel tells what was cut off.
  socket.on('error', () => socket.destroy());
  const ended = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  return {
    send: (piece) =>
      new Promise((resolve) => {
        if (socket.destroyed) return resolve();
        void ended.then(resolve);
        socket.write(piece, () => resolve());
      }),
    onPiece: (listener) => {
      if (first !== '') listener(first);
      socket.on('data', listener);
      socket.resume();
    },
    ended,
    close: () => void socket.destroy(),
  };
}

function closed(server: Server): void {
  if (server.listening) server.close();
}
