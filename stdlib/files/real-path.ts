import { basename, dirname, join, resolve, sep } from 'node:path';

import type { Files } from '#schemas/types/host.ts';

import { entryAt } from './kind.ts';

/** The absolute path with all links resolved; the last parts may be missing and stay as they are. */
export async function realPathOf(files: Files, cwd: string, path: string): Promise<string> {
  const missing: string[] = [];
  let there = (await files.find(path)) === undefined ? resolve(cwd, path) : path;
  while (dirname(there) !== there && (await entryAt(files, there)) === undefined) {
    missing.unshift(basename(there));
    there = dirname(there);
  }
  return join(await files.realPath(there), ...missing);
}

/** Whether `path` is `folder` or lies below it; both absolute and with links resolved. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
