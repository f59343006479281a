import { basename, dirname, join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files, FileStat } from '#schemas/types/host.ts';

/** The regular file that a path leads to; a folder, a pipe or a device is not one. */
export async function requireFile(files: Files, path: string): Promise<FileStat> {
  const found = await files.find(path);
  if (found?.kind !== 'file') throw fail.fileNotFound({ path, ...(await instead(files, path, found, 'file')) });
  return found;
}

/** The folder that a path leads to. */
export async function requireFolder(files: Files, path: string): Promise<FileStat> {
  const found = await files.find(path);
  if (found?.kind !== 'directory')
    throw fail.folderNotFound({ path, ...(await instead(files, path, found, 'directory')) });
  return found;
}

const kinds: Readonly<Record<FileStat['kind'], string>> = {
  file: 'a file',
  directory: 'a folder',
  symlink: 'a symbolic link that leads nowhere',
  fifo: 'a pipe',
  socket: 'a socket',
  device: 'a device',
};

/**
 * Kinds for the message about a path of the wrong kind: the needed one, and the one that is there; empty where
 * nothing is there, which the message says.
 */
async function instead(
  files: Files,
  path: string,
  found: FileStat | undefined,
  wanted: FileStat['kind'],
): Promise<{ readonly expected?: string; readonly actual?: string }> {
  const kind = found?.kind ?? (await entryAt(files, path))?.kind;
  return kind === undefined ? {} : { expected: kinds[wanted], actual: kinds[kind] };
}

/**
 * File or folder that a path leads to; undefined where nothing is there, and where links lead in a circle,
 * behind which nothing can be.
 */
export async function foundAt(files: Files, path: string): Promise<FileStat | undefined> {
  try {
    return await files.find(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ELOOP') return undefined;
    throw error;
  }
}

/**
 * Entry at a path itself, a link unfollowed; undefined where nothing is there. A separator at the end is taken off,
 * because with it the system would follow the link.
 */
export async function entryAt(files: Files, path: string): Promise<FileStat | undefined> {
  try {
    return await files.lstat(join(dirname(path), basename(path)));
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}

/** Whether two paths led to one file. */
export function isSame(one: FileStat, other: FileStat): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}
