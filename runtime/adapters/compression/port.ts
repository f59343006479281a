declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly compression: CompressionPort;
  }
}

export type Decompressible = 'gz' | 'bz2' | 'xz' | 'zst' | 'br';

/** Compressed streams of bytes, in constant memory. */
export interface CompressionPort {
  /**
   * Compresses with the usual level of each program; gzip and zstd on all processors, from chunks that may
   * share one buffer.
   */
  compress(
    format: 'gz' | 'zst' | 'br',
    bytes: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): AsyncIterable<Uint8Array>;
  /** One raw stream, on all processors, with what archives say of it at the end. */
  deflate(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array, Deflated>;
  /** Several streams behind each other count as one. Fails where the data is damaged or cut off; `path` is for that. */
  decompress(
    format: Decompressible,
    bytes: AsyncIterable<Uint8Array>,
    options: DecompressOptions,
  ): AsyncIterable<Uint8Array>;
}

/** Packed content, with facts of it before it was packed. */
export interface Deflated {
  readonly crc32: number;
  readonly size: number;
}

export interface DecompressOptions {
  readonly path: string;
  readonly signal: AbortSignal;
}
