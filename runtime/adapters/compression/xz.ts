import type { XzReadableStream } from 'xz-decompress';

/** A WebAssembly reader that hands out pieces of 64 KiB; dictionaries of more than 64 MiB are refused by it. */
export async function* readXz(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const { XzReadableStream: Stream } = await library();
  const reader = new Stream(ReadableStream.from(bytes)).getReader();
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await reader.read();
      if (done) return;
      if (value.length > 0) yield value;
    }
  } finally {
    // It fails on being stopped behind its last piece, when there is nothing left to stop.
    await reader.cancel().catch(() => undefined);
  }
}

/** The package is CommonJS: what it exports stands under `default` where Node reads it, and beside it in a bundle. */
async function library(): Promise<{ readonly XzReadableStream: typeof XzReadableStream }> {
  const loaded: typeof import('xz-decompress') & { readonly default?: typeof import('xz-decompress') } =
    await import('xz-decompress');
  return loaded.default ?? loaded;
}
