import type { SFTPWrapper } from 'ssh2';

import { asking, type Asking } from './connection.ts';

/**
 * Bytes of one question: as many as OpenSSH takes, and with what stands before them no more than eight whole packets of
 * a channel. Each packet is encrypted on its own, also one of a few bytes that did not fit.
 */
const PIECE = 254 * 1024;
/** Questions that are under way at once: enough to fill a long way, few enough to hold in memory. */
const DEPTH = 8;

/** Reads a file with many questions under way, and gives the answers in order. */
export async function* readAhead(
  sftp: SFTPWrapper,
  handle: Buffer,
  { from, to }: { readonly from: number; readonly to: number },
  asked: Asking,
): AsyncGenerator<Uint8Array, void> {
  const waiting: Promise<Uint8Array>[] = [];
  let next = from;
  try {
    for (;;) {
      for (; waiting.length < DEPTH && next < to; next += PIECE)
        waiting.push(handled(readWhole(sftp, handle, next, Math.min(PIECE, to - next), asked)));
      const piece = await waiting.shift();
      if (piece === undefined) return;
      yield piece;
    }
  } finally {
    await Promise.allSettled(waiting);
  }
}

/** A server may answer with less than was asked for; an empty answer is the end. */
async function readWhole(
  sftp: SFTPWrapper,
  handle: Buffer,
  position: number,
  length: number,
  asked: Asking,
): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(length);
  let have = 0;
  while (have < length) {
    const count = await asking<number>(asked, (done) =>
      sftp.read(handle, buffer, have, length - have, position + have, (error, read) =>
        isEnd(error) ? done(undefined, 0) : done(error, read),
      ),
    );
    if (count === 0) break;
    have += count;
  }
  return buffer.subarray(0, have);
}

/** Part of a file: its first byte, and how long the whole is. */
export interface Extent {
  readonly from: number;
  readonly size: number;
}

/** Writes pieces one behind the other without waiting for each answer, and asks `last` behind them. */
export async function writeBehind<Last>(
  sftp: SFTPWrapper,
  handle: Buffer,
  body: AsyncIterable<Uint8Array>,
  { from, size }: Extent,
  asked: Asking,
  last: () => Promise<Last>,
): Promise<Last> {
  const waiting: Promise<Buffer>[] = [];
  const answered: Buffer[] = [];
  let position = from;
  const room = (): Buffer => answered.pop() ?? Buffer.allocUnsafe(Math.max(1, Math.min(PIECE, size - position)));
  const write = async (part: Buffer, length: number, to: number): Promise<Buffer> => {
    await asking(asked, (done) => sftp.write(handle, part, 0, length, to, done as never));
    return part;
  };
  const send = (part: Buffer, length: number): void => {
    waiting.push(handled(write(part, length, position)));
    position += length;
  };
  // The stream may use its buffer again as soon as it is asked for more.
  let part = room();
  let filled = 0;
  try {
    for await (const piece of body)
      for (let at = 0; at < piece.length;) {
        const count = Math.min(part.length - filled, piece.length - at);
        part.set(piece.subarray(at, at + count), filled);
        [at, filled] = [at + count, filled + count];
        if (filled < part.length) continue;
        send(part, filled);
        const first = waiting.length >= DEPTH ? await waiting.shift() : undefined;
        if (first) answered.push(first);
        [part, filled] = [room(), 0];
      }
    if (filled > 0) send(part, filled);
    const ended = handled(last());
    while (waiting.length > 0) await waiting.shift();
    return await ended;
  } finally {
    await Promise.allSettled(waiting);
  }
}

/**
 * The promise with its rejection handled, so that an error while others are waited for is told when its turn
 * comes.
 */
function handled<Answer>(promise: Promise<Answer>): Promise<Answer> {
  promise.catch(() => undefined);
  return promise;
}

/** Whether an answer says that a file, or the list of a folder, is at its end (SSH_FX_EOF). */
export function isEnd(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 1;
}
