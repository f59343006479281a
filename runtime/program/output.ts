import { dirname, isAbsolute, join, normalize, relative, sep } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';

import { reasonOf } from './reason.ts';

/** Files of the host as far as writing needs them. */
export type OutputFiles = Pick<Files, 'find' | 'lstat' | 'write'>;

/**
 * Folders, absolute, whose insides others may have made: the project root and an output folder. A link below them would
 * let whoever made it choose what is overwritten.
 */
export type Bounds = readonly string[];

/**
 * Writes a file: it appears whole or not at all, through a temporary file of an unpredictable name that nobody
 * else has made; missing folders are made. A target that is no regular file (a device, a pipe) is written to in
 * place. Fails where a link below the bounds is on the way.
 */
export async function writeOutput(
  files: OutputFiles,
  path: string,
  content: string | Uint8Array,
  bounds: Bounds,
): Promise<void> {
  await refuseLinks(files, path, bounds);
  try {
    await files.write(path, content, { parents: true });
  } catch (error) {
    throw fail.outputNotWritten({ path, reason: reasonOf(error), cause: error });
  }
}

/** Fails for an output that would be refused or cannot be: told before anything has run. */
export async function prepareOutput(
  files: OutputFiles & Pick<Files, 'makeDirectory'>,
  path: string,
  bounds: Bounds,
): Promise<void> {
  await refuseLinks(files, path, bounds);
  try {
    await files.makeDirectory(dirname(path), { recursive: true });
    if ((await files.find(path))?.kind === 'directory')
      throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
  } catch (error) {
    throw fail.outputNotWritten({ path, reason: reasonOf(error), cause: error });
  }
}

/** Puts a link to a folder beside it in place by a rename, so that it leads somewhere at every moment. */
export async function replaceLink(
  files: Pick<Files, 'link' | 'rename' | 'remove' | 'temporaryBeside'>,
  link: string,
  folder: string,
): Promise<void> {
  const fresh = files.temporaryBeside(link);
  await files.link(relative(dirname(link), folder), fresh);
  try {
    await files.rename(fresh, link);
  } catch (error) {
    await files.remove(fresh);
    throw error;
  }
}

/** Fails where a part of a path below one of the folders is a link. */
export async function refuseLinks(files: Pick<Files, 'lstat'>, path: string, bounds: Bounds): Promise<void> {
  for (const bound of bounds) {
    let at = normalize(bound);
    // The whole disk is nobody's project.
    if (at === dirname(at)) continue;
    for (const part of partsBelow(path, at)) {
      at = join(at, part);
      if (await isLink(files, at)) throw fail.outputThroughLink({ path, link: at });
    }
  }
}

/** The names on the way from a folder to a path below it; none where it does not lie below. */
function partsBelow(path: string, folder: string): readonly string[] {
  const way = relative(folder, path);
  const parts = way.split(sep);
  return way === '' || parts[0] === '..' || isAbsolute(way) ? [] : parts;
}

async function isLink(files: Pick<Files, 'lstat'>, path: string): Promise<boolean> {
  try {
    return (await files.lstat(path)).kind === 'symlink';
  } catch {
    // A missing path is no link, and the write tells of one that cannot be looked at.
    return false;
  }
}
