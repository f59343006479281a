import { basename, dirname, join, resolve, sep } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';

import { entryAt } from './kind.ts';

/** Number of links that are followed, as on Linux. */
const MOST_LINKS = 40;

/**
 * The absolute path with all links resolved, also those that lead to what is missing; the last parts may be missing and
 * stay as they are.
 */
export async function realPathOf(files: Files, cwd: string, path: string, left = MOST_LINKS): Promise<string> {
  const missing: string[] = [];
  let there = (await files.find(path)) === undefined ? resolve(cwd, path) : path;
  let found = await entryAt(files, there);
  while (dirname(there) !== there && found === undefined) {
    missing.unshift(basename(there));
    there = dirname(there);
    found = await entryAt(files, there);
  }
  if (found?.kind !== 'symlink' || (await files.find(there)) !== undefined)
    return join(await files.realPath(there), ...missing);
  if (left === 0) throw fail.linkLoop({ path });
  const folder = await realPathOf(files, cwd, dirname(there), left - 1);
  return join(await realPathOf(files, cwd, resolve(folder, await files.readLink(there)), left - 1), ...missing);
}

/** Whether `path` is `folder` or lies below it; both absolute and with links resolved. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
