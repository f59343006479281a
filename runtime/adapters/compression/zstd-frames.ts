import { createZstdDecompress } from 'node:zlib';

import { CHUNK, through } from './node-zlib.ts';

/**
 * All frames of a stream. Node's reader ends with the first frame whose end lies within a chunk, and what stands behind it
 * would be lost: it is given to a reader of its own.
 */
export async function* readZstd(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array, void> {
  const feed = new Feed(bytes);
  do {
    const reader = createZstdDecompress({ chunkSize: CHUNK });
    yield* through(feed.chunks(), reader, signal);
    await feed.takeBack(reader.bytesWritten);
  } while (feed.hasMore);
}

/** More chunks and more bytes than ever wait between the source and the reader. */
const WAITING = { chunks: 8, bytes: 1024 * 1024 };

/** Chunks that can be taken back when the reader has no use for their end. */
class Feed {
  readonly #source: AsyncIterator<Uint8Array>;
  #given: Uint8Array[] = [];
  #size = 0;
  /** Bytes given to this reader before those that are kept. */
  #dropped = 0;
  #back: Uint8Array | undefined;
  #pull: Promise<Uint8Array | undefined> = Promise.resolve(undefined);
  #hasEnded = false;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#source = bytes[Symbol.asyncIterator]();
  }

  get hasMore(): boolean {
    return this.#back !== undefined || !this.#hasEnded;
  }

  async *chunks(): AsyncGenerator<Uint8Array, void> {
    try {
      for (;;) {
        this.#pull = this.#next();
        const chunk = await this.#pull;
        if (chunk === undefined) return;
        yield chunk;
      }
    } finally {
      if (this.#hasEnded) await this.#source.return?.();
    }
  }

  async #next(): Promise<Uint8Array | undefined> {
    const chunk = this.#back ?? (await this.#source.next()).value;
    this.#back = undefined;
    if (chunk === undefined) this.#hasEnded = true;
    else this.#keep(chunk);
    return chunk;
  }

  #keep(chunk: Uint8Array): void {
    this.#given.push(chunk);
    this.#size += chunk.length;
    while (this.#given.length > WAITING.chunks && this.#size > WAITING.bytes) {
      const length = this.#given.shift()?.length ?? 0;
      this.#size -= length;
      this.#dropped += length;
    }
  }

  /** What the reader did not use of its chunks comes first for the next one. */
  async takeBack(used: number): Promise<void> {
    await this.#pull;
    const rest = Buffer.concat(this.#given).subarray(used - this.#dropped);
    this.#given = [];
    this.#size = 0;
    this.#dropped = 0;
    this.#back = rest.length > 0 ? rest : undefined;
  }
}
