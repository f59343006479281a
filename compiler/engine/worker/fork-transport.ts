import type { ChildProcess } from 'node:child_process';

import type { Transport } from './transport.ts';

type Sender = (piece: string, done: () => void) => void;

/** The channel that Node opens to a process that it forks, seen from the process that began it. */
export function toChild(child: ChildProcess): Transport {
  const ended = new Promise<void>((resolve) => {
    child.once('disconnect', resolve);
    child.once('error', () => resolve());
  });
  return transportOf({
    ended,
    isOpen: () => child.connected,
    send: (piece, done) => child.send(piece, done),
    onMessage: (listener) => void child.on('message', listener),
    close: () => child.disconnect(),
  });
}

/** The same, seen from the forked process; undefined where this one was not forked. */
export function toParent(): Transport | undefined {
  if (!process.send) return undefined;
  return transportOf({
    ended: new Promise<void>((resolve) => void process.once('disconnect', resolve)),
    isOpen: () => process.connected,
    send: (piece, done) => process.send?.(piece, undefined, undefined, done),
    onMessage: (listener) => void process.on('message', listener),
    close: () => process.disconnect?.(),
  });
}

interface Ipc {
  readonly ended: Promise<void>;
  readonly isOpen: () => boolean;
  readonly send: Sender;
  readonly onMessage: (listener: (message: unknown) => void) => void;
  readonly close: () => void;
}

/**
 * Node keeps what is sent in memory until the other end takes it: pieces go one by one, and are cut so that none is
 * large.
 */
function transportOf({ ended, isOpen, send, onMessage, close }: Ipc): Transport {
  return {
    async send(piece) {
      for (let at = 0; at < piece.length && isOpen(); at += PIECE) {
        const part = piece.slice(at, at + PIECE);
        await new Promise<void>((resolve) => {
          void ended.then(resolve);
          send(part, resolve);
        });
      }
    },
    onPiece: (listener) => onMessage((message) => listener(typeof message === 'string' ? message : '\n')),
    ended,
    close: () => {
      if (isOpen()) close();
    },
  };
}

/** Characters of a piece. */
const PIECE = 1024 * 1024;
