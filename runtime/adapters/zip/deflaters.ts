import { availableParallelism } from 'node:os';
import { constants, createDeflateRaw, type DeflateRaw } from 'node:zlib';

/** Bytes of packed content that are handed over at once. */
const CHUNK = 64 * 1024;

/**
 * Deflates many small contents, a few of them side by side in the thread pool that Node has anyway. A deflater keeps
 * its memory: to set it up for each content would take longer than to pack it.
 */
export class Deflaters {
  readonly #deflaters: readonly Deflater[];
  #next = 0;

  constructor(level: number) {
    this.#deflaters = Array.from({ length: availableParallelism() + 1 }, () => new Deflater(level));
  }

  async pack(content: Uint8Array): Promise<Uint8Array> {
    const deflater = this.#deflaters[this.#next];
    this.#next = (this.#next + 1) % this.#deflaters.length;
    if (deflater === undefined) throw new Error('there is no deflater');
    return deflater.pack(content);
  }

  close(): void {
    for (const deflater of this.#deflaters) deflater.close();
  }
}

class Deflater {
  readonly #stream: DeflateRaw;
  #packed: Buffer[] = [];
  #before: Promise<unknown> = Promise.resolve();

  constructor(level: number) {
    this.#stream = createDeflateRaw({ level, chunkSize: CHUNK });
    this.#stream.on('data', (piece: Buffer) => this.#packed.push(piece));
  }

  /** One content after the other. */
  async pack(content: Uint8Array): Promise<Uint8Array> {
    const packing = this.#before.then(() => this.#pack(content));
    this.#before = packing.catch(() => undefined);
    return packing;
  }

  async #pack(content: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#stream.once('error', reject);
      this.#stream.write(content);
      this.#stream.flush(constants.Z_FINISH, () => {
        const packed = Buffer.concat(this.#packed);
        this.#packed = [];
        this.#stream.off('error', reject);
        this.#stream.reset();
        resolve(packed);
      });
    });
  }

  close(): void {
    this.#stream.destroy();
  }
}
