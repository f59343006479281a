import { BLOCK } from './header.ts';
import type { TarSource } from './port.ts';

const NAME_FIELD = 100;
/** First number that the octal digits of sizes and times cannot hold. */
const MOST = 8 ** 11;
const TYPES = { file: '0', folder: '5' } as const;

/** Room for a header with its record. */
export const HEADER_ROOM = 3 * BLOCK;

/**
 * The header of an ordinary file or folder, with a record of its time where that is no whole second, written into
 * `room`; undefined for all others, which the package writes. It writes these to the same bytes, at the cost of a whole
 * archive each.
 */
export function plainHeader(
  { name, kind, size, mode, modifiedMs }: TarSource,
  room: Uint8Array,
): Uint8Array | undefined {
  const stored = kind === 'folder' ? `${name}/` : name;
  if ((kind !== 'file' && kind !== 'folder') || size >= MOST || stored.length > NAME_FIELD || !/^[ -~]+$/.test(stored))
    return undefined;
  const exact = modifiedMs / 1000;
  const seconds = Math.floor(exact);
  if (exact < 0 || exact >= MOST) return undefined;
  const facts = { name: stored, mode: mode & 0o7777, size: kind === 'file' ? size : 0, seconds, type: TYPES[kind] };
  room.fill(0);
  if (exact === seconds) return written(room.subarray(0, BLOCK), facts);
  const record = recordOf('mtime', exact.toFixed(6).replace(/\.?0+$/, ''));
  written(room.subarray(0, BLOCK), { ...facts, name: recordName(stored), mode: 0o644, size: record.length, type: 'x' });
  put(room, BLOCK, record);
  written(room.subarray(2 * BLOCK), facts);
  return room;
}

interface Facts {
  readonly name: string;
  readonly mode: number;
  readonly size: number;
  readonly seconds: number;
  readonly type: string;
}

/** The block, empty before, with its sum, for which blanks stand while it is worked out. */
function written(block: Uint8Array, { name, mode, size, seconds, type }: Facts): Uint8Array {
  const sum =
    put(block, 0, name) +
    putOctal(block, 100, mode, 7) +
    putOctal(block, 108, 0, 7) +
    putOctal(block, 116, 0, 7) +
    putOctal(block, 124, size, 11) +
    putOctal(block, 136, seconds, 11) +
    put(block, 148, '        ') +
    put(block, 156, type) +
    put(block, 257, 'ustar\u000000');
  putOctal(block, 148, sum, 6);
  block[154] = 0;
  return block;
}

/** The length counts itself. */
function recordOf(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  const length = rest.length + String(rest.length).length;
  return `${rest.length + String(length).length}${rest}`;
}

/** A name that old readers take for a file beside the member. */
function recordName(name: string): string {
  return `PaxHeader/${name}`.slice(0, NAME_FIELD);
}

/** Writes characters below 128; yields the sum of their codes. */
function put(block: Uint8Array, at: number, text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    block[at + index] = code;
    sum += code;
  }
  return sum;
}

/** Writes a number in octal digits, with zeros before them; yields the sum of their codes. */
function putOctal(block: Uint8Array, at: number, value: number, digits: number): number {
  let sum = 0;
  let rest = value;
  for (let index = at + digits - 1; index >= at; index -= 1) {
    const code = 48 + (rest % 8);
    block[index] = code;
    sum += code;
    rest = Math.floor(rest / 8);
  }
  return sum;
}
