import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { toNative } from '../paths.ts';
import { about, codeOf, naming } from '../system-error.ts';

/**
 * Makes a folder and those above it. Node's own way tells that a file is not found where a disk is read-only, or too
 * many files are open.
 */
export function makeFolders(path: string): void {
  try {
    mkdirSync(toNative(path));
  } catch (error) {
    const parent = dirname(path);
    if (codeOf(error) === 'ENOENT' && parent !== path) {
      makeFolders(parent);
      return makeLast(path);
    }
    if (!isFolder(path)) throw about(error, path);
  }
}

/** Another process may have made it meanwhile. */
function makeLast(path: string): void {
  try {
    mkdirSync(toNative(path));
  } catch (error) {
    if (!isFolder(path)) throw about(error, path);
  }
}

function isFolder(path: string): boolean {
  return naming(path, () => statSync(toNative(path), { throwIfNoEntry: false }))?.isDirectory() ?? false;
}
