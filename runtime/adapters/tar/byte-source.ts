import { Broken } from './broken.ts';

/** Bytes taken from a stream in the pieces that are asked for. */
export class ByteSource {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  /** Exactly so many bytes; undefined where the stream ended before the first. */
  async take(length: number): Promise<Uint8Array | undefined> {
    if (this.#rest.length >= length) return this.#cut(length);
    const taken = new Uint8Array(length);
    let filled = 0;
    for await (const piece of this.pass(length, true)) {
      taken.set(piece, filled);
      filled += piece.length;
    }
    if (filled === 0 && length > 0) return undefined;
    if (filled < length) throw new Broken('the archive ends in the middle of a member');
    return taken;
  }

  /** So many bytes as they come; each piece is good until the next one is asked for. */
  async *pass(length: number, mayEnd = false): AsyncGenerator<Uint8Array, void> {
    for (let left = length; left > 0;) {
      if (this.#rest.length === 0 && !(await this.#fill())) {
        if (mayEnd) return;
        throw new Broken('the archive ends in the middle of a member');
      }
      const piece = this.#cut(Math.min(left, this.#rest.length));
      left -= piece.length;
      yield piece;
    }
  }

  async skip(length: number): Promise<void> {
    for await (const _ of this.pass(length)) continue;
  }

  /** Reads to the end of the stream: what packs it checks its own sums only there. */
  async drain(): Promise<void> {
    while (await this.#fill()) this.#rest = new Uint8Array();
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  #cut(length: number): Uint8Array {
    const piece = this.#rest.subarray(0, length);
    this.#rest = this.#rest.subarray(length);
    return piece;
  }

  async #fill(): Promise<boolean> {
    for (;;) {
      const { done, value } = await this.#chunks.next();
      if (done === true) return false;
      if (value.length === 0) continue;
      this.#rest = value;
      return true;
    }
  }
}
