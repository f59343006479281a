import { createHash } from 'node:crypto';

const BLOCK = 4 * 1024 * 1024;

/** The service's own digest: SHA-256 of the SHA-256 of each block of 4 MiB. */
export class ContentHash {
  readonly #whole = createHash('sha256');
  #block = createHash('sha256');
  #filled = 0;

  update(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const piece = bytes.subarray(at, at + BLOCK - this.#filled);
      this.#block.update(piece);
      this.#filled += piece.length;
      at += piece.length;
      if (this.#filled === BLOCK) this.#close();
    }
  }

  /** Lower-case hex; ends it. */
  hex(): string {
    if (this.#filled > 0) this.#close();
    return this.#whole.digest('hex');
  }

  #close(): void {
    this.#whole.update(this.#block.digest());
    this.#block = createHash('sha256');
    this.#filled = 0;
  }
}
