import { closeSync, createReadStream, fstatSync, read, readSync, type Stats } from 'node:fs';

import type { Files } from '#schemas/types/host.ts';

import { yieldTurn } from '../threads/yield-turn.ts';
import { openAtOnce } from './open-at-once.ts';
import { toNative } from '../paths.ts';
import { about, naming } from '../system-error.ts';

/** Largest rest of a file (bytes) that is read by calls that block: a trip to the thread pool takes longer. */
const SMALL = 64 * 1024;
/** Larger pieces make nothing faster, and two of them are held at once. */
const LARGEST = 16 * 1024 * 1024;

/**
 * Buffers that were shared by the chunks of a small file, for the next one: their making takes as long as the reading.
 */
const spare: Buffer[] = [];
const MOST_SPARE = 8;

interface Range {
  readonly start: number;
  /** The first byte that is not read. */
  readonly end: number;
  readonly chunk: number;
  readonly reuse: boolean;
  readonly signal: AbortSignal | undefined;
}

/** The piece of a large file behind the one that is being used is read meanwhile. */
export const stream: Files['stream'] = (
  path,
  { start = 0, end = Infinity, chunk = SMALL, reuse = false, signal } = {},
) => pieces(path, { start, end, chunk: Math.min(chunk, LARGEST), reuse, signal });

async function* pieces(path: string, range: Range): AsyncGenerator<Uint8Array, void> {
  if (range.end <= range.start) return;
  await yieldTurn(range.signal);
  const native = toNative(path);
  const file = naming(path, () => openAtOnce(native));
  try {
    const stats = fstatSync(file);
    // Held open meanwhile: a writer at the other end of a pipe must not see it break.
    if (!stats.isFile()) return yield* asItComes(native, range);
    // Handed over as a whole, each piece of a small file would take promises of its own.
    if (isSmall(stats, range)) for (const piece of atOnce(file, stats.size, range)) yield piece;
    else yield* oneAhead(file, range);
  } catch (error) {
    throw about(error, path);
  } finally {
    naming(path, () => closeSync(file));
  }
}

/** Files of the kernel's own say that they are empty, and are not. */
function isSmall({ size }: Stats, { start, end }: Range): boolean {
  return size > 0 && Math.min(size, end) - start <= SMALL;
}

/** Pieces of a file in one turn; a file that grows meanwhile is read as it was. */
function* atOnce(file: number, size: number, { start, end, chunk, reuse, signal }: Range): Generator<Uint8Array, void> {
  const last = Math.min(size, end);
  const most = Math.min(chunk, last - start);
  const shared = reuse ? (spare.pop() ?? Buffer.allocUnsafeSlow(SMALL)) : undefined;
  try {
    for (let position = start; position < last;) {
      const buffer = shared ?? Buffer.allocUnsafe(most);
      const length = readSync(file, buffer, 0, Math.min(most, last - position), position);
      if (length === 0) return;
      position += length;
      yield buffer.subarray(0, length);
      signal?.throwIfAborted();
    }
  } finally {
    if (shared !== undefined && spare.length < MOST_SPARE) spare.push(shared);
  }
}

async function* oneAhead(file: number, { start, end, chunk, reuse, signal }: Range): AsyncGenerator<Uint8Array, void> {
  const buffers = reuse ? [Buffer.allocUnsafeSlow(chunk), Buffer.allocUnsafeSlow(chunk)] : [];
  let position = start;
  const readNext = (): Promise<Uint8Array> => {
    const buffer = buffers.shift() ?? Buffer.allocUnsafeSlow(chunk);
    if (reuse) buffers.push(buffer);
    return filled(file, buffer, position, Math.min(chunk, end - position));
  };
  let next = readNext();
  try {
    for (let piece = await next; piece.length > 0; piece = await next) {
      signal?.throwIfAborted();
      position += piece.length;
      next = readNext();
      // A reader that stops here asks for it no more, so that its failure is nobody's.
      next.catch(() => undefined);
      yield piece;
    }
  } finally {
    // The file must not be closed under a read.
    await next.catch(() => undefined);
  }
}

function filled(file: number, buffer: Buffer, position: number, length: number): Promise<Uint8Array> {
  if (length <= 0) return Promise.resolve(buffer.subarray(0, 0));
  return new Promise((resolve, reject) => {
    read(file, buffer, 0, length, position, (error, count) =>
      error ? reject(error) : resolve(buffer.subarray(0, count)),
    );
  });
}

/** Pipes and devices. A folder fails here with EISDIR. */
async function* asItComes(
  native: string | Buffer,
  { start, end, chunk, signal }: Range,
): AsyncGenerator<Uint8Array, void> {
  const options = {
    highWaterMark: chunk,
    ...(start > 0 && { start }),
    ...(end < Infinity && { end: end - 1 }),
    ...(signal && { signal }),
  };
  for await (const piece of createReadStream(native, options)) yield piece as Uint8Array;
}
