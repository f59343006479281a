import { chmodSync, closeSync, fchmodSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import type { WriteOptions } from '#schemas/types/host.ts';

import { makeFolders } from './make-folders.ts';
import { toNative } from '../paths.ts';
import { putInPlaceAtOnce, removeQuietly } from './put-in-place.ts';
import { about } from '../system-error.ts';
import { targetOf } from './target.ts';

/**
 * Writes a small file by calls that block: together they take a fifth of the time of trips to the thread pool. False,
 * and nothing is done, where a pipe or a device stands: there a call may block for ever.
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
      if (target.mode !== undefined) {
        // Under the permission model of Node no call that takes a descriptor may change the mode.
        if (process.permission === undefined) fchmodSync(file, target.mode);
        else chmodSync(from, target.mode);
      }
      writeFileSync(file, content);
    } finally {
      closeSync(file);
    }
    putInPlaceAtOnce(from, toNative(target.path), options.exclusive ?? false);
    return true;
  } catch (error) {
    if (made) removeQuietly(from);
    throw about(error, path);
  }
}
