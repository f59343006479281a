import { crc32 } from 'node:zlib';

export interface RawSevenZipMember {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** Unix mode with its file type. */
  readonly mode?: number;
  readonly isFolder?: boolean;
}

/**
 * A 7z archive byte by byte, its content stored, its list plain: as a tool that checks nothing would make it.
 * `dictionary` says that it is packed with LZMA2 and how much memory that takes: 40 means 4 GiB.
 */
export function rawSevenZip(
  members: readonly RawSevenZipMember[],
  { dictionary }: { readonly dictionary?: number } = {},
): Buffer {
  const contents = members.map(({ content = '' }) => Buffer.from(content));
  const stored = contents.filter((content) => content.length > 0);
  const packed = Buffer.concat(stored);
  const streams =
    stored.length === 0
      ? []
      : [4, packInfo(packed.length), unpackInfo(packed.length, dictionary), subStreams(stored), 0];
  const list = bytes(1, ...streams, 5, filesInfo(members, contents), 0);
  const start = Buffer.alloc(20);
  start.writeBigUInt64LE(BigInt(packed.length), 0);
  start.writeBigUInt64LE(BigInt(list.length), 8);
  start.writeUInt32LE(crc32(list), 16);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(start));
  return Buffer.concat([Buffer.from('377abcaf271c0004', 'hex'), sum, start, packed, list]);
}

function packInfo(size: number): Buffer {
  return bytes(6, number(0), number(1), 9, number(size), 0);
}

/** One folder with one coder, which copies unless told otherwise. */
function unpackInfo(size: number, dictionary: number | undefined): Buffer {
  const coder = dictionary === undefined ? [1, 0] : [0x21, 0x21, 1, dictionary];
  return bytes(7, 0x0b, number(1), 0, number(1), ...coder, 0x0c, number(size), 0);
}

function subStreams(contents: readonly Buffer[]): Buffer {
  const sizes = contents.length > 1 ? [9, ...contents.slice(0, -1).map((content) => number(content.length))] : [];
  const sums = contents.map((content) => {
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(crc32(content));
    return sum;
  });
  return bytes(8, 0x0d, number(contents.length), ...sizes, 0x0a, 1, ...sums, 0);
}

function filesInfo(members: readonly RawSevenZipMember[], contents: readonly Buffer[]): Buffer {
  const names = bytes(0, ...members.map(({ name }) => Buffer.from(`${name}\0`, 'utf16le')));
  const isEmpty = contents.map((content) => content.length === 0);
  const empties = members.filter((_, index) => isEmpty[index]);
  const attributes = bytes(1, 0, ...members.map((member) => attributesOf(member)));
  return bytes(
    number(members.length),
    property(0x0e, bits(isEmpty)),
    property(0x0f, bits(empties.map(({ isFolder }) => isFolder !== true))),
    property(0x11, names),
    property(0x15, attributes),
    0,
  );
}

function attributesOf({ isFolder, mode = isFolder === true ? 0o40755 : 0o100644 }: RawSevenZipMember): Buffer {
  const value = Buffer.alloc(4);
  value.writeUInt32LE(((mode << 16) | 0x8000 | (isFolder === true ? 0x10 : 0)) >>> 0);
  return value;
}

function property(id: number, value: Buffer): Buffer {
  return bytes(id, number(value.length), value);
}

function bits(values: readonly boolean[]): Buffer {
  const result = Buffer.alloc(Math.ceil(values.length / 8));
  values.forEach((value, index) => {
    if (value) result[index >> 3] = (result[index >> 3] ?? 0) | (0x80 >> (index & 7));
  });
  return result;
}

/** The first byte says by its leading bits how many follow. */
function number(value: number): Buffer {
  let first = 0;
  let mask = 0x80;
  let rest = value;
  const tail: number[] = [];
  while (rest >= mask) {
    tail.push(rest % 256);
    rest = Math.floor(rest / 256);
    first |= mask;
    mask >>= 1;
  }
  return Buffer.from([first | rest, ...tail]);
}

function bytes(...parts: readonly (number | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part)));
}
