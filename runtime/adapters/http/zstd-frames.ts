const FRAME = 0xfd2fb528;
const LAST_BLOCK = 1;
const REPEATED_BYTE = 1;

/** Sizes of a dictionary's number and of the content's length, by their two bits in the descriptor of a frame. */
const NUMBER_SIZES = [0, 1, 2, 4];
const LENGTH_SIZES = [0, 2, 4, 8];

/**
 * The frames that bytes of zstd consist of (RFC 8878, section 3.1), told by their headers alone. Decoders of older
 * releases of Node take a frame that is cut short for its end.
 */
export class ZstdFrames {
  #next: 'magic' | 'length' | 'descriptor' | 'block' = 'magic';
  #wanted = 4;
  #held: number[] = [];
  /** Bytes until the next header. */
  #ahead = 0;
  #checksum = 0;

  /** Whether what was taken ends where a frame ends. */
  get isWhole(): boolean {
    return this.#next === 'magic' && this.#held.length === 0 && this.#ahead === 0;
  }

  take(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const passed = Math.min(this.#ahead, bytes.length - at);
      this.#ahead -= passed;
      at += passed;
      const byte = bytes[at];
      if (byte === undefined) return;
      at += 1;
      this.#held.push(byte);
      if (this.#held.length === this.#wanted) this.#read(this.#held.reduceRight((sum, each) => sum * 256 + each, 0));
    }
  }

  #read(value: number): void {
    switch (this.#next) {
      case 'magic':
        return value === FRAME ? this.#expect('descriptor', 1) : this.#expect('length', 4);
      case 'length':
        // Of a frame to be skipped.
        return this.#expect('magic', 4, value);
      case 'descriptor':
        this.#checksum = (value & 4) === 0 ? 0 : 4;
        return this.#expect('block', 3, headerSize(value));
      case 'block': {
        const size = ((value >> 1) & 3) === REPEATED_BYTE ? 1 : value >>> 3;
        return (value & LAST_BLOCK) === 0
          ? this.#expect('block', 3, size)
          : this.#expect('magic', 4, size + this.#checksum);
      }
    }
  }

  #expect(next: 'magic' | 'length' | 'descriptor' | 'block', wanted: number, ahead = 0): void {
    this.#next = next;
    this.#wanted = wanted;
    this.#held = [];
    this.#ahead = ahead;
  }
}

/** Bytes of a frame's header behind its descriptor. */
function headerSize(descriptor: number): number {
  const isSingle = (descriptor & 32) !== 0;
  const length = LENGTH_SIZES[descriptor >> 6] ?? 0;
  return (isSingle ? Math.max(1, length) : 1 + length) + (NUMBER_SIZES[descriptor & 3] ?? 0);
}
