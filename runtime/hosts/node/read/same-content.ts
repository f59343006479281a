import { closeSync, fstatSync, readSync } from 'node:fs';

import { yieldTurn } from '../threads/yield-turn.ts';
import { openAtOnce } from './open-at-once.ts';
import { toNative } from '../paths.ts';

const PIECE = 1 << 18;

/** Reads both side by side and stops at the first difference. */
export async function sameContent(one: string, other: string, signal?: AbortSignal): Promise<boolean> {
  const open: number[] = [];
  try {
    for (const path of [one, other]) open.push(openAtOnce(toNative(path)));
    const [first = -1, second = -1] = open;
    const piece = Math.min(PIECE, fstatSync(first).size + 1);
    const left = Buffer.allocUnsafe(piece);
    const right = Buffer.allocUnsafe(piece);
    for (;;) {
      const length = filled(first, left);
      if (length !== filled(second, right) || !left.subarray(0, length).equals(right.subarray(0, length))) return false;
      if (length < piece) return true;
      await yieldTurn(signal);
    }
  } finally {
    for (const file of open) closeSync(file);
  }
}

/** Reads until the buffer is full or the file has ended. */
function filled(file: number, buffer: Buffer): number {
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(file, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return length;
}
