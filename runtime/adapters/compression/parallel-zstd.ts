import { constants, zstdCompress } from 'node:zlib';

import { AT_ONCE } from './pool-turns.ts';

/**
 * Bytes that one thread compresses: six times as far as this level looks back. Repeated text is stored anew
 * behind each seam; the program `zstd`, which cuts every 8 MiB and looks back over the seam a little, gets as
 * small.
 */
const PIECE = 12 * 1024 * 1024;

/** Level of the program `zstd`. */
const LEVEL = 3;

interface Packing {
  readonly piece: Uint8Array;
  readonly packed: Promise<Uint8Array>;
}

/**
 * Frames behind each other, each compressed by a thread of the pool that Node has anyway; every reader takes them as
 * one. The threads that zstd itself would start are of no use here: Node's stream ends without a word when one of them
 * is busy.
 */
export async function* compressZstd(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const underWay: Packing[] = [];
  // Memory that is asked for again and again costs more than copying into the same.
  const free: Uint8Array[] = [];
  let piece: Uint8Array = new Uint8Array(PIECE);
  let size = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + PIECE - size);
      piece.set(part, size);
      at += part.length;
      size += part.length;
      if (size < PIECE) continue;
      signal.throwIfAborted();
      underWay.push(begun(piece.subarray(0, size)));
      // To gather a piece takes a small part of the time of packing it: none has to wait for its turn.
      if (underWay.length >= AT_ONCE) yield* first(underWay, free);
      piece = free.pop() ?? new Uint8Array(PIECE);
      size = 0;
    }
  }
  if (size > 0 || underWay.length === 0) underWay.push(begun(piece.subarray(0, size)));
  while (underWay.length > 0) yield* first(underWay, free);
}

async function* first(underWay: Packing[], free: Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  const packing = underWay.shift();
  if (packing === undefined) return;
  yield await packing.packed;
  free.push(new Uint8Array(packing.piece.buffer));
}

function begun(piece: Uint8Array): Packing {
  const packed = frame(piece);
  // It is told when its turn comes.
  packed.catch(() => undefined);
  return { piece, packed };
}

async function frame(piece: Uint8Array): Promise<Uint8Array> {
  const params = { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 };
  return new Promise((resolve, reject) => {
    zstdCompress(piece, { chunkSize: PIECE / 4, pledgedSrcSize: piece.length, params }, (error, packed) =>
      error === null ? resolve(packed) : reject(error),
    );
  });
}
