import { EventEmitter, once } from 'node:events';
import { Socket } from 'node:net';
import { PassThrough, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

import type { Client } from 'basic-ftp';

import type { Content } from '../backend.ts';

/** Pieces of at most 16 KiB that are held of what comes through TLS while the last ones are written. */
const HELD = 16;
/** Bytes that a connection without TLS is asked for at once. */
const PIECE = 256 * 1024;
/** One is used, one waits, one is being filled. */
const BUFFERS = 3;

/**
 * Content in the form of a stream for the library, which hands it to `pipeline`: that asks for the next piece when the
 * connection has written the last one, where a stream of its own asks for one more, so that each had to be copied.
 */
export function sourceOf(client: Client, body: Content['body']): Readable {
  const source = Object.assign(new EventEmitter(), {
    async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
      try {
        yield* body;
      } catch (error) {
        source.emit('error', error);
        throw error;
      }
      await secured(client);
    },
  });
  return source as unknown as Readable;
}

/**
 * Waits until the data connection is secured, and the call that secured it has returned. A socket that ends before says
 * nothing of its end, which servers take for a connection that broke off: empty files never arrived.
 */
async function secured({ ftp: { dataSocket } }: Client): Promise<void> {
  if (dataSocket && 'secureConnecting' in dataSocket && dataSocket.secureConnecting)
    await once(dataSocket, 'secureConnect');
  await setImmediate();
}

/** Content of a download: a piece may be overwritten once the next is asked for. */
export interface Arriving {
  readonly body: PassThrough;
  /** Does the download into the body. */
  from<Result>(download: () => Promise<Result>): Promise<Result>;
}

/** Pieces are handed on as they come: joining them costs more than it saves. */
export function arriving({ ftp }: Client): Arriving {
  if (ftp.hasTLS) {
    const body = new PassThrough({ readableObjectMode: true, readableHighWaterMark: HELD });
    return { body, from: (download) => download() };
  }
  const body = new PassThrough({ readableObjectMode: true, readableHighWaterMark: 1, writableHighWaterMark: 1 });
  return {
    body,
    from: async (download) => {
      const newSocket = ftp._newSocket;
      ftp._newSocket = () => socketInto(body);
      try {
        return await download();
      } finally {
        ftp._newSocket = newSocket;
      }
    },
  };
}

/** A socket that reads into a few buffers in turns: a new one for each piece costs more than the piece. */
function socketInto(body: PassThrough): Socket {
  const buffers: Buffer[] = [];
  let turn = 0;
  const socket = new Socket({
    onread: {
      buffer: () => (buffers[turn++ % BUFFERS] ??= Buffer.allocUnsafeSlow(PIECE)),
      callback: (length, buffer) => {
        if (!body.write(buffer.subarray(0, length))) {
          socket.pause();
          body.once('drain', () => socket.resume());
        }
        return true;
      },
    },
  });
  return socket;
}
