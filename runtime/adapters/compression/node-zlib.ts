import { Readable, type Transform } from 'node:stream';
import { createBrotliCompress, createBrotliDecompress, createGunzip } from 'node:zlib';

import { compressGzip } from './parallel-deflate.ts';
import { compressZstd } from './parallel-zstd.ts';

/** Bytes handed to the thread pool at once: fewer trips than with the default of 16 KiB. */
export const CHUNK = 256 * 1024;

const decompressors = { gz: createGunzip, br: createBrotliDecompress } as const;

export function compressWithNode(
  format: 'gz' | 'zst' | 'br',
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  switch (format) {
    case 'gz':
      return compressGzip(bytes, signal);
    case 'zst':
      return compressZstd(bytes, signal);
    case 'br':
      return through(bytes, createBrotliCompress({ chunkSize: CHUNK }), signal);
    default:
      return format satisfies never;
  }
}

export function decompressWithNode(
  format: keyof typeof decompressors,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  return through(bytes, decompressors[format]({ chunkSize: CHUNK }), signal);
}

/** An error of the source arrives as it is; whoever stops reading ends the source too. */
export async function* through(
  bytes: AsyncIterable<Uint8Array>,
  transform: Transform,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const source = Readable.from(bytes, { objectMode: true, highWaterMark: 1 });
  source.on('error', (error) => transform.destroy(error));
  const stop = (): void => void transform.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    for await (const chunk of source.pipe(transform)) yield chunk as Uint8Array;
  } finally {
    signal.removeEventListener('abort', stop);
    source.destroy();
    transform.destroy();
  }
}
