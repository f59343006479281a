const WIDTH_BITS = 160;
const SHIFT = 11;

/**
 * The service's own digest: bytes are added by XOR, each 11 bits further around 160 bits, and the length at the end.
 */
export class QuickXorHash {
  /** One cell for each place at which a byte may begin. */
  readonly #cells = new Uint8Array(WIDTH_BITS);
  #length = 0;

  update(bytes: Uint8Array): void {
    const cells = this.#cells;
    let at = this.#length % WIDTH_BITS;
    for (const byte of bytes) {
      cells[at] = (cells[at] ?? 0) ^ byte;
      at = at + 1 === WIDTH_BITS ? 0 : at + 1;
    }
    this.#length += bytes.length;
  }

  /** Base64, as the service tells it. */
  base64(): string {
    const result = new Uint8Array(WIDTH_BITS / 8);
    for (const [index, byte] of this.#cells.entries()) {
      const bit = (index * SHIFT) % WIDTH_BITS;
      const [cell, offset] = [bit >> 3, bit & 7];
      const next = (cell + 1) % result.length;
      result[cell] = (result[cell] ?? 0) ^ (byte << offset);
      result[next] = (result[next] ?? 0) ^ (byte >> (8 - offset));
    }
    const length = new DataView(new ArrayBuffer(8));
    length.setBigUint64(0, BigInt(this.#length), true);
    for (let at = 0; at < 8; at += 1) result[12 + at] = (result[12 + at] ?? 0) ^ length.getUint8(at);
    return Buffer.from(result).toString('base64');
  }
}
