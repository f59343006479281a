import type { Files, Likeness } from '#schemas/types/host.ts';
import { isOutOfReach } from '#stdlib/files/walk.ts';

import type { Group } from './by-digest.ts';

interface Tools {
  readonly files: Files;
  readonly signal: AbortSignal;
}

/** Number of files that may be open at once. */
const MOST_FILES = 64;
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Whether the first bytes of all files of a group may be held at once. Files of the system itself that say they are
 * empty are not.
 */
export function isHandy({ size, paths }: Group, length: number): boolean {
  return size > 0 && paths.length <= MOST_FILES && paths.length * Math.min(size, length) <= MOST_BYTES;
}

/**
 * Parts groups by the files' first bytes themselves, which takes half the time of their digests; what is left alone is
 * dropped.
 */
export async function byContent(
  { files, signal }: Tools,
  groups: readonly Group[],
  length: number,
): Promise<readonly Group[]> {
  const likenesses = await files.tellApart(groups, { end: length, signal });
  return groups.flatMap((group, index) => partsOf(group, likenesses[index] ?? []));
}

function partsOf({ size, paths }: Group, likenesses: readonly Likeness[]): readonly Group[] {
  const parts = new Map<number, string[]>();
  for (const [index, likeness] of likenesses.entries()) {
    // It may not be read, has gone, or is written to meanwhile.
    if (likeness === 'changed' || isOutOfReach(likeness)) continue;
    if (likeness instanceof Error) throw likeness;
    const part = parts.get(likeness);
    if (part === undefined) parts.set(likeness, [paths[index] ?? '']);
    else part.push(paths[index] ?? '');
  }
  return [...parts.values()].filter((part) => part.length > 1).map((part) => ({ size, paths: part }));
}
