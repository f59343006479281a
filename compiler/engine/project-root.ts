import { dirname, resolve } from 'node:path';

import { CONFIGURATIONS, isBelow, markedFolder } from '#compiler/reader.ts';
import type { Files } from '#schemas/types/host.ts';

/** Whether a PATH is a pattern where no file of its name is there. */
export function isGlob(path: string): boolean {
  return /[*?[\]{}!]/.test(path);
}

/** Whether a PATH is standard input, or another descriptor that the shell has opened (`<(…)`): no file of a project is called so. */
export function isStream(path: string): boolean {
  return path === '-' || /^\/dev\/(?:stdin|fd\/\d+)$/.test(path);
}

/**
 * The project root of a PATH: the nearest folder upwards that holds a configuration or `.git`, from a folder itself, else
 * from the folder of the file; of a pattern from the folder that its fixed part names. Without one, that folder.
 */
export async function rootOf(path: string, cwd: string, files: Files): Promise<string> {
  const folder = await startOf(path, cwd, files);
  return (await markedFolder(folder, files)) ?? folder;
}

/** The roots of several PATHs: that of the first, and those of others that do not lie below one of these. */
export async function rootsOf(
  paths: readonly string[],
  cwd: string,
  files: Files,
): Promise<readonly [string, ...string[]]> {
  const [first = '-', ...others] = paths;
  const roots: [string, ...string[]] = [await rootOf(first, cwd, files)];
  for (const path of others) {
    const start = await startOf(path, cwd, files);
    if (!isStream(path) && !roots.some((root) => isBelow(start, root)))
      roots.push((await markedFolder(start, files)) ?? start);
  }
  return roots;
}

/** The folders above a project root that hold a configuration, the nearest first. */
export async function configuredAbove(root: string, files: Files): Promise<readonly string[]> {
  const found: string[] = [];
  for (let at = dirname(root), below = root; at !== below; below = at, at = dirname(at)) {
    // A confined process may not look there: then what it may read is bounded anyway, and nothing runs.
    const folder = await markedFolder(at, files, CONFIGURATIONS).catch(() => undefined);
    if (folder === undefined) break;
    found.push(folder);
    at = folder;
  }
  return found;
}

async function startOf(path: string, cwd: string, files: Files): Promise<string> {
  if (path === '' || isStream(path)) return cwd;
  const absolute = resolve(cwd, path);
  // What cannot be looked at is told of where it is read.
  const kind = (await files.find(absolute).catch(() => undefined))?.kind;
  if (kind === 'directory') return absolute;
  if (kind !== undefined || !isGlob(path)) return dirname(absolute);
  const fixed = path.split(/[\\/]/).findIndex(isGlob);
  return resolve(cwd, path.split(/[\\/]/).slice(0, fixed).join('/') || (path.startsWith('/') ? '/' : '.'));
}
