/** Facts about a packed member, for its header and the archive's list. */
export interface Packed {
  readonly name: Uint8Array;
  /** 0 stored, 8 deflated. */
  readonly method: 0 | 8;
  readonly mode: number;
  readonly modifiedMs: number;
  readonly isFolder: boolean;
  /** Sum and sizes stand behind the content, because they were not known before. */
  readonly isStreamed: boolean;
  /** Sizes take eight bytes, wherever they stand. */
  readonly isLarge: boolean;
  readonly crc32: number;
  readonly packedSize: number;
  readonly size: number;
}

/** Value of a field of the old format that has no room; the number itself stands in a record of Zip64. */
const BEYOND = 0xffff_ffff;
const BEYOND_16 = 0xffff;

const UTF8_NAME = 0x0800;
const SUMS_BEHIND = 0x0008;

/** Version of the format that a reader needs: 20 for folders and deflate, 45 for Zip64. */
const PLAIN = 20;
const ZIP64 = 45;

/** Unix, of whose permission bits `mode` speaks. */
const MADE_BY = (3 << 8) | ZIP64;

export function localHeader(member: Packed): Uint8Array {
  const { isStreamed, isLarge, name } = member;
  const zeros = { ...member, crc32: 0, packedSize: 0, size: 0 };
  const facts = isStreamed ? zeros : member;
  const large = isLarge ? zip64([facts.size, facts.packedSize]) : nothing;
  const extra = [...timeOf(member), ...large];
  const sizes = isLarge ? { ...facts, packedSize: BEYOND, size: BEYOND } : facts;
  const header = new Writer(30 + name.length + extra.length);
  header.u32(0x04034b50).u16(isLarge ? ZIP64 : PLAIN);
  shared(header, sizes).u16(name.length).u16(extra.length).bytes(name).bytes(extra);
  return header.done;
}

/** Sum and sizes behind the content of a member that was streamed. */
export function descriptor({ crc32, packedSize, size, isLarge }: Packed): Uint8Array {
  const record = new Writer(isLarge ? 24 : 16).u32(0x08074b50).u32(crc32);
  if (isLarge) return record.u64(packedSize).u64(size).done;
  return record.u32(packedSize).u32(size).done;
}

/** The member in the list at the end; `offset` is where its header stands. */
export function listed(member: Packed, offset: number): Uint8Array {
  const { name, mode, isFolder, size, packedSize } = member;
  const large = [size, packedSize, offset].filter((number) => number >= BEYOND);
  const extra = [...timeOf(member), ...(large.length > 0 ? zip64(large) : nothing)];
  const record = new Writer(46 + name.length + extra.length);
  record
    .u32(0x02014b50)
    .u16(MADE_BY)
    .u16(large.length > 0 || member.isLarge ? ZIP64 : PLAIN);
  shared(record, { ...member, size: Math.min(size, BEYOND), packedSize: Math.min(packedSize, BEYOND) });
  record.u16(name.length).u16(extra.length).u16(0).u16(0).u16(0);
  record
    .u32((((mode & 0xffff) << 16) | (isFolder ? 0x10 : 0)) >>> 0)
    .u32(Math.min(offset, BEYOND))
    .bytes(name)
    .bytes(extra);
  return record.done;
}

export interface ListFacts {
  readonly count: number;
  readonly size: number;
  readonly offset: number;
}

/** End of an archive: the place of its list, once more in eight bytes where the old format has no room. */
export function ending({ count, size, offset }: ListFacts): Uint8Array {
  const isLarge = count >= BEYOND_16 || size >= BEYOND || offset >= BEYOND;
  const end = new Writer(isLarge ? 98 : 22);
  if (isLarge) {
    end.u32(0x06064b50).u64(44).u16(MADE_BY).u16(ZIP64).u32(0).u32(0).u64(count).u64(count).u64(size).u64(offset);
    end
      .u32(0x07064b50)
      .u32(0)
      .u64(offset + size)
      .u32(1);
  }
  const entries = Math.min(count, BEYOND_16);
  return end
    .u32(0x06054b50)
    .u16(0)
    .u16(0)
    .u16(entries)
    .u16(entries)
    .u32(Math.min(size, BEYOND))
    .u32(Math.min(offset, BEYOND))
    .u16(0).done;
}

/** Fields from the flags to the sizes: the same in both headers. */
function shared(writer: Writer, { isStreamed, method, modifiedMs, crc32, packedSize, size }: Packed): Writer {
  const { time, date } = localTime(modifiedMs);
  return writer
    .u16(UTF8_NAME | (isStreamed ? SUMS_BEHIND : 0))
    .u16(method)
    .u16(time)
    .u16(date)
    .u32(crc32)
    .u32(packedSize)
    .u32(size);
}

const nothing: readonly number[] = [];

function zip64(numbers: readonly number[]): Uint8Array {
  const record = new Writer(4 + numbers.length * 8).u16(0x0001).u16(numbers.length * 8);
  for (const number of numbers) record.u64(number);
  return record.done;
}

/** Whole seconds in UTC, where they have room. */
function timeOf({ modifiedMs }: Packed): Iterable<number> {
  const seconds = Math.floor(modifiedMs / 1000);
  if (seconds < -(2 ** 31) || seconds >= 2 ** 31) return nothing;
  return new Writer(9)
    .u16(0x5455)
    .u16(5)
    .u8(1)
    .u32(seconds >>> 0).done;
}

/** Local time in steps of two seconds, as the format has it; from 1980 to 2107. */
function localTime(ms: number): { readonly time: number; readonly date: number } {
  const at = new Date(ms);
  const year = at.getFullYear();
  if (year < 1980) return { time: 0, date: (1 << 5) | 1 };
  if (year > 2107) return { time: 0xbf7d, date: 0xff9f };
  return {
    time: (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1),
    date: ((year - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate(),
  };
}

/** Numbers with the lowest byte first. */
class Writer {
  readonly done: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(length: number) {
    this.done = new Uint8Array(length);
    this.#view = new DataView(this.done.buffer);
  }

  u8(value: number): this {
    this.#view.setUint8(this.#at, value);
    this.#at += 1;
    return this;
  }

  u16(value: number): this {
    this.#view.setUint16(this.#at, value, true);
    this.#at += 2;
    return this;
  }

  u32(value: number): this {
    this.#view.setUint32(this.#at, value, true);
    this.#at += 4;
    return this;
  }

  u64(value: number): this {
    this.#view.setBigUint64(this.#at, BigInt(value), true);
    this.#at += 8;
    return this;
  }

  bytes(values: ArrayLike<number>): this {
    this.done.set(values, this.#at);
    this.#at += values.length;
    return this;
  }
}
