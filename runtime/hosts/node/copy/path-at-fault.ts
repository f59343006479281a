import { accessSync, closeSync, constants, lstatSync } from 'node:fs';
import { dirname } from 'node:path';

import { openAtOnce } from '../read/open-at-once.ts';
import { toNative } from '../paths.ts';
import { codeOf } from '../system-error.ts';

export interface TwoPaths {
  readonly from: string;
  readonly to: string;
  /** Access that the call needs before it comes to the target. */
  readonly needs: { readonly path: string; readonly mode: 'read' | 'write' };
}

/** Path, of the two of a call, that its error is about, as far as that can be told: the system does not say. */
export function pathAtFault(error: unknown, { from, to, needs }: TwoPaths): string {
  switch (codeOf(error)) {
    case 'ENOENT':
      return lstatSync(toNative(from), { throwIfNoEntry: false }) === undefined ? from : dirname(to);
    case 'EACCES':
    case 'EPERM':
      return isAllowed(needs) ? to : needs.path;
    default:
      return to;
  }
}

function isAllowed({ path, mode }: TwoPaths['needs']): boolean {
  try {
    if (mode === 'read') closeSync(openAtOnce(toNative(path)));
    else accessSync(toNative(path), constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
