import { link, rename, unlink } from 'node:fs/promises';

import { codeOf } from './system-error.ts';

/**
 * Makes a finished temporary file the target. Where a virus scanner or an indexer holds the target for a moment (Windows),
 * tries again for about a second.
 */
export async function putInPlace(from: string | Buffer, to: string | Buffer, exclusive: boolean): Promise<void> {
  if (exclusive) {
    // A link fails where the target is there; a rename would replace it.
    await link(from, to);
    return unlink(from);
  }
  for (let attempt = 1; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (!isBusy(error) || attempt === 10) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * 20));
    }
  }
}

export function isBusy(error: unknown): boolean {
  return process.platform === 'win32' && ['EPERM', 'EBUSY', 'EACCES'].includes(codeOf(error) ?? '');
}
