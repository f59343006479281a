/** Bytes of a large piece. Each call that writes wakes a thread, which takes the processor from who reads. */
const LARGE = 512 * 1024;

/**
 * Bytes for a file, copied together into large pieces: the next is gathered from the source while the last is being
 * written. A piece is overwritten once the next is asked for, and so may be those of the source. What has come before
 * the source fails is handed on first. A reader that ends early ends the source.
 */
export async function* gathered(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const gathering = new Gathering();
  const taken = gathering.take(source);
  // Told below: until then nobody may be listening.
  taken.catch(() => undefined);
  try {
    for (let piece = await gathering.next(); piece; piece = await gathering.next()) yield piece;
    await taken;
  } finally {
    gathering.stop();
    await taken.catch(() => undefined);
  }
}

/** Two buffers: one is filled, one is with the reader. */
class Gathering {
  #filling: Buffer = Buffer.allocUnsafeSlow(LARGE);
  #size = 0;
  #lent: Buffer | undefined;
  #spare: Buffer | undefined;
  #isEnded = false;
  #isStopped = false;
  /** Goes on with the side that waits: never both do. */
  #wake: () => void = () => undefined;

  async take(source: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const piece of source) {
        for (let at = 0; at < piece.length;) {
          while (this.#size === LARGE && !this.#isStopped) await this.#woken();
          if (this.#isStopped) return;
          const part = piece.subarray(at, at + LARGE - this.#size);
          this.#filling.set(part, this.#size);
          this.#size += part.length;
          at += part.length;
          if (this.#size === LARGE) this.#wake();
        }
      }
    } finally {
      this.#isEnded = true;
      this.#wake();
    }
  }

  /** The next piece, full where it is not the last; undefined: there is none. */
  async next(): Promise<Uint8Array | undefined> {
    this.#spare ??= this.#lent;
    while (this.#size < LARGE && !this.#isEnded) await this.#woken();
    if (this.#size === 0) return undefined;
    const piece = this.#filling.subarray(0, this.#size);
    this.#lent = this.#filling;
    this.#filling = this.#spare ?? Buffer.allocUnsafeSlow(LARGE);
    this.#spare = undefined;
    this.#size = 0;
    this.#wake();
    return piece;
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }
}
