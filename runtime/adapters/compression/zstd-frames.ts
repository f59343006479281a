import { createZstdDecompress, type ZstdDecompress } from 'node:zlib';

import { CHUNK } from './node-zlib.ts';

/**
 * All frames of a stream. Node's reader ends with the first frame whose end lies within a chunk, and takes the next
 * chunk for a frame of its own: it gets none before it is known whether it still wants one, and what it left goes to
 * another reader.
 */
export async function* readZstd(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const feed = new Feed(bytes);
  try {
    do yield* frames(feed, signal);
    while (feed.hasMore);
  } finally {
    await feed.close();
  }
}

async function* frames(feed: Feed, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const reader = createZstdDecompress({ chunkSize: CHUNK });
  const stop = (): void => void reader.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    const fed = feed.fill(reader).catch((error: unknown) => void reader.destroy(error as Error));
    for await (const chunk of reader) yield chunk as Uint8Array;
    await fed;
  } finally {
    signal.removeEventListener('abort', stop);
    reader.destroy();
  }
}

/** Hands chunks to one reader after the other. */
class Feed {
  readonly #source: AsyncIterator<Uint8Array>;
  /** Bytes that a reader left over. */
  #rest: Uint8Array | undefined;
  #hasEnded = false;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#source = bytes[Symbol.asyncIterator]();
  }

  get hasMore(): boolean {
    return this.#rest !== undefined || !this.#hasEnded;
  }

  /** Until the source has ended, or the reader. */
  async fill(reader: ZstdDecompress): Promise<void> {
    for (let given = 0; ;) {
      const chunk = this.#rest ?? (await this.#source.next()).value;
      this.#rest = undefined;
      if (chunk === undefined) {
        this.#hasEnded = true;
        reader.end();
        return;
      }
      given += chunk.length;
      await written(reader, chunk);
      const left = given - reader.bytesWritten;
      if (left === 0) continue;
      this.#rest = chunk.subarray(chunk.length - left);
      return;
    }
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

/** Waits until the reader has done with a chunk. */
function written(reader: ZstdDecompress, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    reader.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}
