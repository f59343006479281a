import type Bunzip from 'seek-bzip';

/** A block takes less than this, packed: 900,000 bytes that hardly pack, and its tables. */
const LARGEST_BLOCK = 1_500_000;

/**
 * Block by block, each of which is unpacked at a stroke: about a tenth of a second of this thread, after which others
 * have their turn. At most 46 MB are held, which is what the format can make of one block.
 */
export async function* readBzip2(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const Reader = await library();
  const input = new Input(bytes);
  const output = new Output();
  await input.fill();
  let stream = quietly(() => new Reader(input, output));
  for (;;) {
    signal.throwIfAborted();
    await input.fill();
    if (stream._init_block()) {
      stream._read_bunzip();
      yield output.take();
      await new Promise((resolve) => setImmediate(resolve));
      continue;
    }
    if (stream.reader.read(32) >>> 0 !== stream.streamCRC) throw new Error('the checksum of the whole stream is wrong');
    await input.fill();
    if (input.isEmpty) return;
    stream = new Reader(input, output);
  }
}

async function library(): Promise<typeof Bunzip> {
  return (await import('seek-bzip')).default;
}

/** The package makes buffers in an old way, of which Node warns when the package is part of a bundle. */
function quietly<Result>(work: () => Result): Result {
  const before = process.noDeprecation;
  process.noDeprecation = true;
  try {
    return work();
  } finally {
    process.noDeprecation = before ?? false;
  }
}

/** Bytes for a reader that cannot wait: enough for a block is fetched beforehand. */
class Input {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #ahead: Uint8Array[] = [];
  #size = 0;
  #at = 0;
  #hasEnded = false;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#chunks = bytes[Symbol.asyncIterator]();
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  async fill(): Promise<void> {
    while (this.#size < LARGEST_BLOCK && !this.#hasEnded) {
      const { done, value } = await this.#chunks.next();
      if (done === true) this.#hasEnded = true;
      else if (value.length > 0) {
        this.#ahead.push(value.slice());
        this.#size += value.length;
      }
    }
  }

  readByte(): number {
    const chunk = this.#ahead[0];
    const byte = chunk?.[this.#at];
    if (chunk === undefined || byte === undefined) throw new Error('the data ends in the middle of a block');
    this.#at += 1;
    this.#size -= 1;
    if (this.#at === chunk.length) {
      this.#ahead.shift();
      this.#at = 0;
    }
    return byte;
  }

  read(buffer: Uint8Array, offset: number, length: number): number {
    for (let index = 0; index < length; index += 1) buffer[offset + index] = this.readByte();
    return length;
  }
}

class Output {
  #bytes = new Uint8Array(1 << 20);
  #size = 0;

  writeByte(byte: number): void {
    if (this.#size === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#size] = byte;
    this.#size += 1;
  }

  /** Bytes written since the last call. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#size);
    this.#size = 0;
    return taken;
  }
}
