import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Clock } from '#schemas/types/host.ts';

import { Pieces } from '../pieces.ts';

/** Tells a client that waits with its body (`Expect: 100-continue`) that it is wanted. */
export function askForBody({ headers, httpVersionMinor }: IncomingMessage, response: ServerResponse): void {
  // HTTP/1.0 knows no answer before the answer.
  if (headers.expect !== undefined && httpVersionMinor > 0) response.writeContinue();
}

/**
 * Reads the body of a request. Undefined where it is too large: what is left of it is not read. Rejects where the
 * client breaks off.
 */
export function bodyOf(message: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const body = new Pieces();
    message.on('data', (chunk: Buffer) => {
      body.add(chunk);
      if (body.size <= maxBytes) return;
      message.removeAllListeners('data').pause();
      resolve(undefined);
    });
    message.once('end', () => resolve(body.bytes));
    message.once('error', reject);
    message.once('close', () => {
      if (!message.complete) reject(new Error('the client broke off'));
    });
  });
}

/** So much of a refused body is read, and for so long. */
const MOST_REFUSED = 16 * 1024 * 1024;
const REFUSED_MS = 1000;

/**
 * Reads the rest of a refused body and keeps nothing: a connection that is closed before loses the answer, because
 * the system resets it.
 */
export function readAway(message: IncomingMessage, clock: Pick<Clock, 'timer'>): Promise<void> {
  return new Promise((resolve) => {
    let left = MOST_REFUSED;
    const cancel = clock.timer(REFUSED_MS, () => done(), { background: true });
    const done = (): void => {
      cancel();
      resolve();
    };
    message.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) done();
    });
    message.once('end', done).once('error', done).once('close', done);
    message.resume();
  });
}
