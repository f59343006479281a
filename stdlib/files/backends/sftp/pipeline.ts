import type { SFTPWrapper } from 'ssh2';

import { asking, type Asking } from './connection.ts';

/** Bytes of one question. */
const PIECE = 128 * 1024;
/** Questions that are under way at once: enough to fill a long way, few enough to hold in memory. */
const DEPTH = 16;

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

/** Writes pieces one behind the other without waiting for each answer, and asks `last` behind them. */
export async function writeBehind<Last>(
  sftp: SFTPWrapper,
  handle: Buffer,
  body: AsyncIterable<Uint8Array>,
  from: number,
  asked: Asking,
  last: () => Promise<Last>,
): Promise<Last> {
  const waiting: Promise<void>[] = [];
  let position = from;
  try {
    for await (const piece of body) {
      for (let at = 0; at < piece.length; at += PIECE) {
        // The stream may use its buffer again as soon as it is asked for more.
        const part = Buffer.from(piece.subarray(at, at + PIECE));
        const to = position;
        waiting.push(handled(asking(asked, (done) => sftp.write(handle, part, 0, part.length, to, done as never))));
        position += part.length;
        if (waiting.length >= DEPTH) await waiting.shift();
      }
    }
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

function isEnd(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 1;
}
