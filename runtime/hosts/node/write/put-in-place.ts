import { linkSync, renameSync, unlinkSync } from 'node:fs';

import { codeOf } from '../system-error.ts';
import { whenNeeded } from '../when-needed.ts';

/**
 * Makes a finished temporary file the target. Where a virus scanner or an indexer holds the target for a moment
 * (Windows), tries again for about a second.
 */
export async function putInPlace(from: string | Buffer, to: string | Buffer, exclusive: boolean): Promise<void> {
  if (exclusive) {
    // A link fails where the target is there; a rename would replace it.
    await whenNeeded.later.link(from, to);
    return whenNeeded.later.unlink(from);
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await whenNeeded.later.rename(from, to);
    } catch (error) {
      if (!isBusy(error) || attempt === 10) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 20));
    }
  }
}

/** The same by calls that block. */
export function putInPlaceAtOnce(from: string | Buffer, to: string | Buffer, exclusive: boolean): void {
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

export function removeQuietly(path: string | Buffer): void {
  try {
    unlinkSync(path);
  } catch {
    // The first error is the one to tell.
  }
}

function isBusy(error: unknown): boolean {
  return process.platform === 'win32' && ['EPERM', 'EBUSY', 'EACCES'].includes(codeOf(error) ?? '');
}
