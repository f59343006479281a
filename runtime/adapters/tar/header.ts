import { textOfName } from '#schemas/types/file-name.ts';

import { Broken } from './broken.ts';
import { numberAt } from './numbers.ts';

export const BLOCK = 512;

export interface Header {
  readonly type: string;
  readonly name: string;
  readonly target: string;
  /** Bytes that follow in the archive. */
  readonly size: number;
  readonly mode: number;
  readonly modifiedMs: number;
}

export function parseHeader(block: Uint8Array): Header {
  if (!hasChecksum(block)) throw new Broken('a header has a wrong checksum');
  const size = numberAt(block, 124, 12);
  if (size < 0) throw new Broken('a member has a negative size');
  const name = textAt(block, 0, 100);
  // GNU tar keeps other things where POSIX has the beginning of a long name.
  const prefix = isPosix(block) ? textAt(block, 345, 155) : '';
  return {
    type: String.fromCharCode(block[156] ?? 0),
    name: prefix === '' ? name : `${prefix}/${name}`,
    target: textAt(block, 157, 100),
    size,
    mode: numberAt(block, 100, 8) & 0o7777,
    modifiedMs: numberAt(block, 136, 12) * 1000,
  };
}

export function isHeader(block: Uint8Array): boolean {
  return block.length >= BLOCK && !isZero(block) && hasChecksum(block.subarray(0, BLOCK));
}

export function isZero(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

/** The text of a field, which ends at its first zero. */
export function textAt(block: Uint8Array, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return textOfName(end === -1 ? field : field.subarray(0, end));
}

function isPosix(block: Uint8Array): boolean {
  return String.fromCharCode(...block.subarray(257, 263)) === 'ustar\0';
}

/** Whether the checksum of a block holds, for unsigned bytes or, as old programs counted, for signed ones. */
function hasChecksum(block: Uint8Array): boolean {
  let unsigned = 0;
  let signed = 0;
  for (let at = 0; at < BLOCK; at += 1) {
    const byte = at >= 148 && at < 156 ? 32 : (block[at] ?? 0);
    unsigned += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  try {
    const stored = numberAt(block, 148, 8);
    return stored === unsigned || stored === signed;
  } catch {
    return false;
  }
}
