import { basename, dirname, join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files, FileStat } from '#schemas/types/host.ts';

/** The regular file that a path leads to; a folder, a pipe or a device is not one. */
export async function requireFile(files: Files, path: string): Promise<FileStat> {
  const found = await files.find(path);
  if (found?.kind !== 'file') throw fail.fileNotFound({ path });
  return found;
}

/** The folder that a path leads to. */
export async function requireFolder(files: Files, path: string): Promise<FileStat> {
  const found = await files.find(path);
  if (found?.kind !== 'directory') throw fail.folderNotFound({ path });
  return found;
}

/**
 * What stands at a path itself, a link unfollowed; undefined where nothing does. A separator at the end is taken off,
 * because with it the system would follow the link.
 */
export async function entryAt(files: Files, path: string): Promise<FileStat | undefined> {
  try {
    return await files.lstat(join(dirname(path), basename(path)));
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Whether two paths led to one file. */
export function isSame(one: FileStat, other: FileStat): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
