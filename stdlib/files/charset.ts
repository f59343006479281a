import { codeTable, putFrom, type Put } from './code-table.ts';

export interface Charset {
  /** The byte-order mark that a file begins with. */
  readonly mark: readonly number[];
  readonly put: Put;
}

/** What writes text under a name of lower-case letters and digits; undefined where nothing does. */
export function charset(name: string): Charset | undefined {
  const unicode = unicodeCharsets.get(name);
  if (unicode !== undefined) return unicode;
  if (ascii.has(name)) return { mark: [], put: putBelow(0x80) };
  if (latin1.has(name)) return { mark: [], put: putBelow(0x100) };
  const label = labelOf(name);
  const table = label === undefined ? undefined : codeTable(label);
  return table === undefined ? undefined : { mark: [], put: putFrom(table) };
}

/** How the bytes of an encoding are read; undefined where nothing reads them. */
export type Reading = 'ascii' | 'latin1' | 'utf-16' | 'utf-32le' | 'utf-32be' | { readonly label: string };

/** By a name of lower-case letters and digits. `utf-16` is read by its mark, as is `utf-32`, and little-endian without one. */
export function readingOf(name: string): Reading | undefined {
  if (ascii.has(name)) return 'ascii';
  if (latin1.has(name)) return 'latin1';
  const label = unicodeReadings.get(name) ?? labelOf(name);
  if (typeof label !== 'string' || label === 'utf-16' || label === 'utf-32le' || label === 'utf-32be') return label;
  return { label };
}

const unicodeReadings: ReadonlyMap<string, 'utf-8' | 'utf-16' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be'> =
  new Map([
    ['utf8', 'utf-8'],
    ['utf8sig', 'utf-8'],
    ['utf16', 'utf-16'],
    ['utf16le', 'utf-16le'],
    ['utf16be', 'utf-16be'],
    ['utf32', 'utf-32le'],
    ['utf32le', 'utf-32le'],
    ['utf32be', 'utf-32be'],
  ]);

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

const ascii: ReadonlySet<string> = new Set(['ascii', 'usascii', '646']);
// The web takes these names for windows-1252; here they mean what they say.
const latin1: ReadonlySet<string> = new Set(['latin1', 'latin', 'l1', 'iso88591', '88591', 'cp819']);

const labels: ReadonlyMap<string, string> = new Map([
  ['cp866', 'ibm866'],
  ['866', 'ibm866'],
  ['ibm866', 'ibm866'],
  ['koi8r', 'koi8-r'],
  ['koi8u', 'koi8-u'],
  ['macroman', 'macintosh'],
  ['macintosh', 'macintosh'],
  ['gbk', 'gbk'],
  ['cp936', 'gbk'],
  ['gb2312', 'gbk'],
  ['gb18030', 'gb18030'],
  ['big5', 'big5'],
  ['cp950', 'big5'],
  ['shiftjis', 'shift_jis'],
  ['sjis', 'shift_jis'],
  ['cp932', 'shift_jis'],
  ['windows31j', 'shift_jis'],
  ['eucjp', 'euc-jp'],
  ['euckr', 'euc-kr'],
  ['cp949', 'euc-kr'],
]);

/** The name by which the web's standard knows an encoding whose letters stand in a table. */
function labelOf(name: string): string | undefined {
  const windows = /^(?:cp|windows)?(874|125[0-8])$/.exec(name);
  if (windows) return `windows-${windows[1]}`;
  const iso = /^(?:iso)?8859([2-8]|10|13|14|15|16)$/.exec(name);
  if (iso) return `iso-8859-${iso[1]}`;
  return labels.get(name);
}

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
