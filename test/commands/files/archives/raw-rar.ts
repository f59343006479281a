import { crc32 } from 'node:zlib';

export interface RawRarMember {
  readonly name: string;
  readonly content?: string | Uint8Array;
  readonly mode?: number;
  readonly isFolder?: boolean;
  /** Makes the member a link: 1 symbolic, 4 hard. */
  readonly link?: 1 | 4;
  readonly target?: string;
}

/** A RAR archive (version 5) byte by byte, its content stored: no free program writes the format. */
export function rawRar(members: readonly RawRarMember[]): Buffer {
  const main = header(bytes(1, 0, 0));
  const end = header(bytes(5, 0, 0));
  return Buffer.concat([Buffer.from('526172211a070100', 'hex'), main, ...members.map(fileOf), end]);
}

function fileOf({
  name,
  content = '',
  isFolder = false,
  mode = isFolder ? 0o40755 : 0o100644,
  link,
  target = '',
}: RawRarMember): Buffer {
  const data = Buffer.from(content);
  const text = Buffer.from(name);
  const extra = link === undefined ? Buffer.alloc(0) : redirection(link, target);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(data));
  const flags = 2 | (extra.length > 0 ? 1 : 0);
  const sizes = [...(extra.length > 0 ? [number(extra.length)] : []), number(data.length)];
  const facts = bytes(
    number(isFolder ? 1 : 4),
    number(data.length),
    number(mode),
    ...(isFolder ? [] : [sum]),
    number(0),
    number(1),
    number(text.length),
    text,
  );
  return Buffer.concat([header(bytes(2, flags, ...sizes, facts, extra)), data]);
}

/** A record of the kind that tells where a link leads. */
function redirection(kind: number, target: string): Buffer {
  const text = Buffer.from(target);
  const record = bytes(5, number(kind), number(0), number(text.length), text);
  return bytes(number(record.length), record);
}

function header(body: Buffer): Buffer {
  const sized = bytes(number(body.length), body);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(sized));
  return Buffer.concat([sum, sized]);
}

/** Seven bits at a time, the lowest first. */
function number(value: number): Buffer {
  const result: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) result.push((rest % 128) | 0x80);
  return Buffer.from([...result, rest]);
}

function bytes(...parts: readonly (number | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part)));
}
