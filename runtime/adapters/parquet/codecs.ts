import {
  brotliCompressSync,
  brotliDecompressSync,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib';

import type { CompressionCodec } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

import type { Compression } from './port.ts';

export type Unpack = (packed: Uint8Array, length: number) => Uint8Array;

/** More than this is no page that anything would write. */
export const mostBytes = 1 << 30;

/** Every codec of the format but LZO, which nothing writes. Node's own where it has one: they know a limit. */
export const unpackers: Readonly<Record<Exclude<CompressionCodec, 'UNCOMPRESSED' | 'LZO'>, Unpack>> = {
  SNAPPY: bounded(compressors.SNAPPY),
  GZIP: bounded((packed, length) => gunzipSync(packed, { maxOutputLength: Math.max(1, length) })),
  BROTLI: bounded((packed, length) => brotliDecompressSync(packed, { maxOutputLength: Math.max(1, length) })),
  ZSTD: bounded((packed, length) => zstdDecompressSync(packed, { maxOutputLength: Math.max(1, length) })),
  LZ4: bounded(compressors.LZ4),
  LZ4_RAW: bounded(compressors.LZ4_RAW),
};

function bounded(unpack: Unpack | undefined): Unpack {
  return (packed, length) => {
    if (length > mostBytes) throw new RangeError(`a page of ${length} bytes`);
    if (!unpack) throw new TypeError('a codec that is not known');
    return unpack(packed, length);
  };
}

export const codecOf: Readonly<Record<Compression, CompressionCodec>> = {
  none: 'UNCOMPRESSED',
  snappy: 'SNAPPY',
  gzip: 'GZIP',
  zstd: 'ZSTD',
  brotli: 'BROTLI',
};

/** Compressors for codecs that the writer does not know itself. */
export const packers = {
  GZIP: (bytes: Uint8Array): Uint8Array => gzipSync(bytes),
  ZSTD: (bytes: Uint8Array): Uint8Array => zstdCompressSync(bytes),
  BROTLI: (bytes: Uint8Array): Uint8Array => brotliCompressSync(bytes, { params: { 1: 5 } }),
};
