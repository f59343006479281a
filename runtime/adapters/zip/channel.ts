/** Small chunks are gathered up to this size: each costs the reader a trip to the disk. */
const GATHERED = 64 * 1024;

/**
 * Hands chunks from one who writes to one who reads, one at a time: the writer waits until its chunk was taken. Either
 * side may end it: the writer by closing or by `fail`, the reader by leaving its loop, after which every write is
 * refused.
 */
export class Channel implements AsyncIterable<Uint8Array> {
  #gathered: Uint8Array[] = [];
  #size = 0;
  #chunk: Uint8Array | undefined;
  #end: { readonly error?: unknown } | undefined;
  #taken = Promise.withResolvers<void>();
  #ready = Promise.withResolvers<void>();

  /**
   * A stream whose chunks arrive here. Whoever writes says by `fail` what went wrong: aborting it tells the reader
   * nothing.
   */
  writable(): WritableStream<Uint8Array> {
    return new WritableStream<Uint8Array>({
      write: (chunk) => this.#write(chunk),
      close: async () => {
        if (this.#size > 0) await this.#hand();
        this.#finish({});
      },
    });
  }

  /** Ends the reader's loop with an error, unless it has ended already. */
  fail(error: unknown): void {
    this.#finish({ error });
  }

  async #write(chunk: Uint8Array): Promise<void> {
    this.#gathered.push(chunk);
    this.#size += chunk.length;
    if (this.#size >= GATHERED) await this.#hand();
  }

  async #hand(): Promise<void> {
    if (this.#end !== undefined) throw (this.#end.error ?? new Error('nobody reads any more')) as Error;
    this.#taken = Promise.withResolvers();
    this.#chunk = this.#gathered.length === 1 ? this.#gathered[0] : Buffer.concat(this.#gathered);
    this.#gathered = [];
    this.#size = 0;
    this.#ready.resolve();
    await this.#taken.promise;
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#ready.resolve();
    this.#taken.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        await this.#ready.promise;
        const chunk = this.#chunk;
        if (chunk === undefined) break;
        this.#chunk = undefined;
        if (this.#end === undefined) this.#ready = Promise.withResolvers();
        yield chunk;
        this.#taken.resolve();
      }
      if (this.#end?.error !== undefined) throw this.#end.error as Error;
    } finally {
      this.#finish({ error: new Error('nobody reads any more') });
    }
  }
}
