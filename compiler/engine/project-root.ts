import { dirname, resolve } from 'node:path';

import { CONFIGURATIONS, markedFolder } from '#compiler/reader.ts';
import { STDIN } from '#compiler/phases/4-resolve/files.ts';
import type { Files } from '#schemas/types/host.ts';

/** Whether a PATH is a pattern where no file of its name is there. */
export function isGlob(path: string): boolean {
  return /[*?[\]{}!]/.test(path);
}

/**
 * Whether a PATH is standard input, or another descriptor that the shell has opened (`<(…)`): no file of a project is
 * called so.
 */
export function isStream(path: string): boolean {
  return path === '-' || /^\/dev\/(?:stdin|fd\/\d+)$/.test(path);
}

/**
 * The folder below which a PATH is looked for: the nearest one upwards that holds a configuration or `.git`, from a
 * folder itself, else from the folder of the file; of a pattern from the folder that its fixed part names. Without one,
 * that folder. The project root of a file that is found there is its own (`rootFinder`).
 */
export async function rootOf(path: string, cwd: string, files: Files): Promise<string> {
  const folder = await startOf(path, cwd, files);
  return (await markedFolder(folder, files)) ?? folder;
}

/** Root of a file's project. */
export interface FoundRoot {
  readonly root: string;
  /** A configuration or `.git` stands there; else it is the file's own folder. */
  readonly isMarked: boolean;
}

/**
 * Finds the project root of each action file, looking at each folder once. Standard input is of the working directory.
 */
export function rootFinder(cwd: string, files: Files): (file: string) => Promise<FoundRoot> {
  const known = new Map<string, Promise<FoundRoot>>();
  return (file) => {
    const folder = file === STDIN || isStream(file) ? cwd : dirname(resolve(cwd, file));
    const root =
      known.get(folder) ??
      markedFolder(folder, files).then((marked) => ({ root: marked ?? folder, isMarked: marked !== undefined }));
    known.set(folder, root);
    return root;
  };
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
  // A file that cannot be looked at is reported where it is read.
  const kind = (await files.find(absolute).catch(() => undefined))?.kind;
  if (kind === 'directory') return absolute;
  if (kind !== undefined || !isGlob(path)) return dirname(absolute);
  const fixed = path.split(/[\\/]/).findIndex(isGlob);
  return resolve(cwd, path.split(/[\\/]/).slice(0, fixed).join('/') || (path.startsWith('/') ? '/' : '.'));
}
