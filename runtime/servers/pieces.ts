/** Most pieces that are kept apart: each costs far more memory than the bytes of a small one. */
const MOST = 1024;

/** Bytes that arrive piece by piece. */
export class Pieces {
  readonly #pieces: Buffer[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** All of them in one. */
  get bytes(): Buffer {
    const [only] = this.#pieces;
    if (this.#pieces.length === 1 && only) return only;
    const whole = Buffer.concat(this.#pieces, this.#size);
    this.#pieces.splice(0, this.#pieces.length, whole);
    return whole;
  }

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#pieces.length >= MOST) void this.bytes;
  }
}
