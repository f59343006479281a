import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

import type { Files } from '#schemas/types/host.ts';

import { yieldTurn } from '../threads/yield-turn.ts';
import { toNative } from '../paths.ts';
import { naming, systemError } from '../system-error.ts';

/** Windows has none of these flags, and no pipes among its files. */
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW, O_NOCTTY } = constants as Partial<typeof constants>;
const FLAGS = (O_RDONLY ?? 0) | (O_NONBLOCK ?? 0) | (O_NOFOLLOW ?? 0) | (O_NOCTTY ?? 0);

/** Bytes asked for at once; memory is spent only on what was there. */
const PIECE = 256 * 1024;

/**
 * Reads by calls that block, which a regular file never does for long. The opened file is looked at, not the
 * path before.
 */
export const readRegular: Files['readRegular'] = async (path, { limit, head = false, start = 0 }) => {
  await yieldTurn();
  return naming(path, () => {
    const file = openSync(toNative(path), FLAGS);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) throw systemError('ENOTREG', 'not a regular file', path);
      if (stats.size - start > limit && !head) throw tooLarge(path);
      return readUpTo(file, Math.max(0, stats.size - start), { path, limit, head, start });
    } finally {
      closeSync(file);
    }
  });
};

/** Files of the kernel say that they are empty, and others grow meanwhile: the end is where nothing more comes. */
function readUpTo(file: number, size: number, { path, limit, head, start }: Reading): Uint8Array {
  const most = head ? limit : limit + 1;
  const pieces: Buffer[] = [];
  let length = 0;
  for (let wanted = Math.min(most, size + 1); length < most; wanted = Math.min(PIECE, most - length)) {
    const piece = Buffer.allocUnsafe(wanted);
    const read = readSync(file, piece, 0, wanted, start + length);
    if (read === 0) break;
    pieces.push(piece.subarray(0, read));
    length += read;
    // A file that says its length has ended where a call gives less than it asked for.
    if (size > 0 && read < wanted) break;
  }
  if (length > limit) throw tooLarge(path);
  const [only, ...others] = pieces;
  return only !== undefined && others.length === 0 ? only : Buffer.concat(pieces);
}

interface Reading {
  readonly path: string;
  readonly limit: number;
  readonly head: boolean;
  readonly start: number;
}

function tooLarge(path: string): Error {
  return systemError('EFBIG', 'file too large', path);
}
