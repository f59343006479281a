import { ascii, labelOf, latin1 } from '#grammar/encoding/reading.ts';

import { codeTable, putFrom, type Put } from './code-table.ts';

export interface Charset {
  /** The byte-order mark that a file begins with. */
  readonly mark: readonly number[];
  readonly put: Put;
}

/** Encoder of text by the name of its encoding, in lower-case letters and digits; undefined where there is none. */
export function charset(name: string): Charset | undefined {
  const unicode = unicodeCharsets.get(name);
  if (unicode !== undefined) return unicode;
  if (ascii.has(name)) return { mark: [], put: putBelow(0x80) };
  if (latin1.has(name)) return { mark: [], put: putBelow(0x100) };
  const label = labelOf(name);
  const table = label === undefined ? undefined : codeTable(label);
  return table === undefined ? undefined : { mark: [], put: putFrom(table) };
}

const unicodeCharsets: ReadonlyMap<string, Charset> = new Map([
  ['utf8', { mark: [], put: putUtf8 }],
  ['utf8sig', { mark: [0xef, 0xbb, 0xbf], put: putUtf8 }],
  ['utf16', { mark: [0xff, 0xfe], put: putUtf16Little }],
  ['utf16le', { mark: [], put: putUtf16Little }],
  ['utf16be', { mark: [], put: putUtf16Big }],
  ['utf32', { mark: [0xff, 0xfe, 0, 0], put: putUtf32Little }],
  ['utf32le', { mark: [], put: putUtf32Little }],
  ['utf32be', { mark: [], put: putUtf32Big }],
]);

function putBelow(limit: number): Put {
  return (point, out, at) => {
    if (point >= limit) return -1;
    out[at] = point;
    return at + 1;
  };
}

function putUtf8(point: number, out: Uint8Array, at: number): number {
  return at + new TextEncoder().encodeInto(String.fromCodePoint(point), out.subarray(at)).written;
}

function putUtf16Little(point: number, out: Uint8Array, at: number): number {
  return putUtf16(point, out, at, true);
}

function putUtf16Big(point: number, out: Uint8Array, at: number): number {
  return putUtf16(point, out, at, false);
}

function putUtf16(point: number, out: Uint8Array, at: number, littleEndian: boolean): number {
  const view = new DataView(out.buffer, out.byteOffset);
  if (point < 0x10000) {
    view.setUint16(at, point, littleEndian);
    return at + 2;
  }
  view.setUint16(at, 0xd800 + ((point - 0x10000) >> 10), littleEndian);
  view.setUint16(at + 2, 0xdc00 + ((point - 0x10000) & 0x3ff), littleEndian);
  return at + 4;
}

function putUtf32Little(point: number, out: Uint8Array, at: number): number {
  new DataView(out.buffer, out.byteOffset).setUint32(at, point, true);
  return at + 4;
}

function putUtf32Big(point: number, out: Uint8Array, at: number): number {
  new DataView(out.buffer, out.byteOffset).setUint32(at, point, false);
  return at + 4;
}
