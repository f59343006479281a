import { availableParallelism } from 'node:os';
import { constants, createDeflateRaw, type DeflateRaw } from 'node:zlib';

/** What is handed over at once of what was packed. */
const CHUNK = 64 * 1024;

/**
 * Deflates many small contents, a few of them side by side in the thread pool that Node has anyway. A lane keeps its memory:
 * to set it up for each content would take longer than to pack it.
 */
export class DeflateLanes {
  readonly #lanes: readonly Lane[];
  #next = 0;

  constructor(level: number) {
    this.#lanes = Array.from({ length: availableParallelism() + 1 }, () => new Lane(level));
  }

  async pack(content: Uint8Array): Promise<Uint8Array> {
    const lane = this.#lanes[this.#next];
    this.#next = (this.#next + 1) % this.#lanes.length;
    if (lane === undefined) throw new Error('there is no lane');
    return lane.pack(content);
  }

  close(): void {
    for (const lane of this.#lanes) lane.close();
  }
}

class Lane {
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
