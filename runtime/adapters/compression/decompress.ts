import * as fail from '#schemas/generated/failures.ts';

import { readBzip2 } from './bzip2.ts';
import { decompressWithNode } from './node-zlib.ts';
import type { DecompressOptions, Decompressible } from './port.ts';
import { readXz } from './xz.ts';
import { readZstd } from './zstd-frames.ts';

/** An error that the source itself threw; it is told as it is. */
interface SourceState {
  error?: unknown;
}

export async function* decompress(
  format: Decompressible,
  bytes: AsyncIterable<Uint8Array>,
  { path, signal }: DecompressOptions,
): AsyncGenerator<Uint8Array, void> {
  const state: SourceState = {};
  const source = noting(bytes, state);
  try {
    yield* unpacked(format, source, signal);
  } catch (cause) {
    signal.throwIfAborted();
    if ('error' in state) throw state.error;
    throw fail.compressedDataBroken({ path, format, cause });
  }
}

function unpacked(
  format: Decompressible,
  source: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  switch (format) {
    case 'bz2':
      return readBzip2(source, signal);
    case 'xz':
      return readXz(source, signal);
    case 'zst':
      return readZstd(source, signal);
    case 'gz':
    case 'br':
      return decompressWithNode(format, source, signal);
    default:
      return format satisfies never;
  }
}

async function* noting(bytes: AsyncIterable<Uint8Array>, state: SourceState): AsyncGenerator<Uint8Array, void> {
  try {
    yield* bytes;
  } catch (error) {
    state.error = error;
    throw error;
  }
}
