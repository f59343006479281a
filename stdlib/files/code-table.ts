import { decodeWhole } from '#grammar/encoding/decode-whole.ts';

/** Writes the bytes of a code point at a place and yields the place behind them; -1 where there are none for it. */
export type Put = (point: number, out: Uint8Array, at: number) => number;

/** Text of all bytes of a piece, which ends with them. */
type Decode = (bytes: Uint8Array) => string;

/** Bytes of an encoding for characters that are not ASCII, which stands for itself. */
export interface CodeTable {
  /** The bytes of each code point as one number, the first byte highest. */
  readonly codes: ReadonlyMap<number, number>;
  /** All code points beyond the first plane have bytes too, counted on without gaps. */
  readonly hasAllPlanes: boolean;
}

/**
 * The table that writes an encoding, made by reading with the platform's decoder everything that can be read: what this
 * platform cannot read it cannot write either. Undefined where the platform has no such decoder.
 */
export function codeTable(label: string): CodeTable | undefined {
  const made = tables.get(label);
  if (made !== undefined) return made;
  const decode = decoderOf(label);
  if (decode === undefined) return undefined;
  const codes = new Map<number, number>();
  const hasAllPlanes = label === 'gb18030';
  addSingles(codes, decode, label);
  for (const lead of leadsOf(label)) addPairs(codes, decode, label, lead);
  if (hasAllPlanes) addFours(codes, decode);
  const table = { codes, hasAllPlanes };
  tables.set(label, table);
  return table;
}

function decoderOf(label: string): Decode | undefined {
  try {
    const decoder = new TextDecoder(label);
    return (bytes) => decodeWhole(decoder, bytes);
  } catch {
    return undefined;
  }
}

/** Tables are constants that cost some milliseconds: each is made once. */
const tables = new Map<string, CodeTable>();

/** Bytes before the last one of a sequence, in the order in which places are preferred. */
function leadsOf(label: string): readonly number[] {
  const from = (first: number, last: number): number[] =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index);
  switch (label) {
    case 'gbk':
    case 'gb18030':
    case 'euc-kr':
      return from(0x81, 0xfe);
    // Lower leads are read for old files; the standard's encoders do not write them.
    case 'big5':
      return from(0xa1, 0xfe);
    // The rows ED and EE repeat what stands in FA to FC.
    case 'shift_jis':
      return [...from(0x81, 0xec), ...from(0xef, 0xfc)];
    // A character that the rows from F9 repeat is written by its place in the supplement, which older readers know.
    case 'euc-jp':
      return [0x8e, ...from(0xa1, 0xf8), ...from(0x8fa1, 0x8ffe), ...from(0xf9, 0xfe)];
    default:
      return [];
  }
}

export function putFrom({ codes, hasAllPlanes }: CodeTable): Put {
  return (point, out, at) => {
    const code = point < 0x80 ? point : hasAllPlanes && point >= 0x10000 ? farCode(point) : codes.get(point);
    if (code === undefined) return -1;
    const length = code > 0xffffff ? 4 : code > 0xffff ? 3 : code > 0xff ? 2 : 1;
    for (let left = length - 1; left >= 0; left -= 1)
      out[at + length - 1 - left] = Math.floor(code / 256 ** left) & 0xff;
    return at + length;
  };
}

function addSingles(table: Map<number, number>, decode: Decode, label: string): void {
  for (let byte = 0x80; byte <= 0xff; byte += 1) {
    const point = onlyPoint(decode(Uint8Array.of(byte)));
    // Control characters in the gaps of Windows' tables are there for the web alone, as is the short euro of gb18030.
    if (label.startsWith('windows') && point !== undefined && point < 0xa0) continue;
    if (label === 'gb18030') continue;
    if (point !== undefined) table.set(point, byte);
  }
}

/** All sequences with one lead of one or two bytes, decoded together with a line feed between them. */
function addPairs(table: Map<number, number>, decode: Decode, label: string, lead: number): void {
  const start = lead > 0xff ? [lead >> 8, lead & 0xff] : [lead];
  const step = start.length + 2;
  const bytes = new Uint8Array((0xff - 0x40) * step);
  for (let trail = 0x40; trail <= 0xfe; trail += 1) bytes.set([...start, trail, 0x0a], (trail - 0x40) * step);
  decode(bytes)
    .split('\n')
    .forEach((text, index) => {
      const point = onlyPoint(text);
      if (point !== undefined && (!table.has(point) || isLaterBetter(label, point)))
        table.set(point, lead * 256 + 0x40 + index);
    });
}

/** Characters that stand twice in Big5 and are written by their second place. */
function isLaterBetter(label: string, point: number): boolean {
  return label === 'big5' && [0x2550, 0x255e, 0x2561, 0x256a, 0x5341, 0x5345].includes(point);
}

function addFours(table: Map<number, number>, decode: Decode): void {
  const count = 39420;
  const bytes = new Uint8Array(count * 5);
  for (let pointer = 0; pointer < count; pointer += 1) bytes.set([...fourBytes(pointer), 0x0a], pointer * 5);
  decode(bytes)
    .split('\n')
    .forEach((text, pointer) => {
      const point = onlyPoint(text);
      if (point !== undefined && !table.has(point)) table.set(point, asNumber(fourBytes(pointer)));
    });
}

/** Beyond the first plane GB18030 counts on without gaps. */
function farCode(point: number): number {
  return asNumber(fourBytes(189000 + point - 0x10000));
}

function fourBytes(pointer: number): readonly number[] {
  return [
    0x81 + Math.floor(pointer / 12600),
    0x30 + (Math.floor(pointer / 1260) % 10),
    0x81 + (Math.floor(pointer / 10) % 126),
    0x30 + (pointer % 10),
  ];
}

function asNumber(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** The code point of a text that holds exactly one which is a character. */
function onlyPoint(text: string): number | undefined {
  const point = text.codePointAt(0);
  if (point === undefined || point < 0x80 || point === 0xfffd) return undefined;
  return String.fromCodePoint(point).length === text.length ? point : undefined;
}
