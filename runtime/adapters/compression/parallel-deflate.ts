import { constants, crc32, deflateRaw } from 'node:zlib';

import { PoolTurns, UNDER_WAY } from './pool-turns.ts';
import type { Deflated } from './port.ts';

/**
 * A piece that one thread compresses: large enough that the seams cost nothing, small enough that all threads have
 * work.
 */
const PIECE = 1024 * 1024;

/** Bytes that deflate looks back: the end of each piece is what the next one begins to compare with. */
const WINDOW = 32 * 1024;

/** Level of the program `gzip`. */
const LEVEL = 6;

const HEADER = Uint8Array.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

/**
 * One deflate stream whose pieces are compressed side by side, in the thread pool that Node has anyway: each piece but
 * the last ends at a byte, so that behind each other they are one stream. Source chunks are copied: they may share one
 * buffer.
 */
export async function* deflateInPieces(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, Deflated> {
  const turns = new PoolTurns();
  const underWay: Promise<Uint8Array>[] = [];
  let piece: Uint8Array = new Uint8Array(PIECE);
  let before: Uint8Array | undefined;
  let size = 0;
  let sum = 0;
  let total = 0;
  const begin = (finishFlush: number): void => {
    const [whole, dictionary] = [piece.subarray(0, size), before];
    const packing = turns.take(() => deflated(whole, dictionary, finishFlush));
    // It is told when its turn comes.
    packing.catch(() => undefined);
    underWay.push(packing);
    before = piece.subarray(Math.max(0, size - WINDOW), size);
    piece = new Uint8Array(PIECE);
    size = 0;
  };
  for await (const chunk of bytes) {
    sum = crc32(chunk, sum);
    total += chunk.length;
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + PIECE - size);
      piece.set(part, size);
      at += part.length;
      size += part.length;
      if (size < PIECE) continue;
      signal.throwIfAborted();
      begin(constants.Z_SYNC_FLUSH);
      const first = underWay.length >= UNDER_WAY ? underWay.shift() : undefined;
      if (first !== undefined) yield await first;
    }
  }
  begin(constants.Z_FINISH);
  for (const packing of underWay) yield await packing;
  return { crc32: sum, size: total };
}

/** The same as a gzip stream. */
export async function* compressGzip(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  yield HEADER;
  yield trailer(yield* deflateInPieces(bytes, signal));
}

async function deflated(
  piece: Uint8Array,
  dictionary: Uint8Array | undefined,
  finishFlush: number,
): Promise<Uint8Array> {
  const options = { level: LEVEL, finishFlush, chunkSize: PIECE / 2, ...(dictionary && { dictionary }) };
  return new Promise((resolve, reject) => {
    deflateRaw(piece, options, (error, packed) => (error === null ? resolve(packed) : reject(error)));
  });
}

function trailer({ crc32: sum, size }: Deflated): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setUint32(0, sum, true);
  bytes.setUint32(4, size % 2 ** 32, true);
  return new Uint8Array(bytes.buffer);
}
