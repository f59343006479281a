import { closeSync, fchmodSync, linkSync, openSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import type { WriteOptions } from '#schemas/types/host.ts';

import { makeFolders } from './make-folders.ts';
import { toNative } from './paths.ts';
import { isBusy } from './put-in-place.ts';
import { about } from './system-error.ts';
import { targetOf } from './target.ts';

/**
 * Writes a small file by calls that block: together they take a fifth of the time of trips to the thread pool. False, and
 * nothing is done, where a pipe or a device stands: there a call may block for ever.
 */
export function writeSmall(path: string, content: Uint8Array | string, options: WriteOptions): boolean {
  const target = targetOf(path, options);
  if (target.special) return false;
  if (options.parents) makeFolders(dirname(target.path));
  const from = toNative(target.temporary);
  let made = false;
  try {
    const file = openSync(from, 'wx', target.mode ?? 0o666);
    made = true;
    try {
      if (target.mode !== undefined) fchmodSync(file, target.mode);
      writeFileSync(file, content);
    } finally {
      closeSync(file);
    }
    putInPlace(from, toNative(target.path), options.exclusive ?? false);
    return true;
  } catch (error) {
    if (made) removeQuietly(from);
    throw about(error, path);
  }
}

function putInPlace(from: string | Buffer, to: string | Buffer, exclusive: boolean): void {
  if (exclusive) {
    // A link fails where the target is there; a rename would replace it.
    linkSync(from, to);
    return unlinkSync(from);
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return renameSync(from, to);
    } catch (error) {
      if (!isBusy(error) || attempt === 8) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, attempt * 10);
    }
  }
}

function removeQuietly(path: string | Buffer): void {
  try {
    unlinkSync(path);
  } catch {
    // The first error is the one to tell.
  }
}
