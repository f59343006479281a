import { basename, join } from 'node:path';

import type { Base } from '#runtime/kernel/ports.ts';
import type { DirectoryEntry, Files, FileStat } from '#schemas/types/host.ts';
import { globMatcher } from '#stdlib/files/glob.ts';
import { entryAt } from '#stdlib/files/kind.ts';
import { walk } from '#stdlib/files/walk.ts';

export interface Search {
  /** Absolute. */
  readonly root: string;
  readonly pattern: string;
  readonly limit: number;
  readonly filesOnly: boolean;
}

export interface SearchPlace extends Pick<Base, 'signal'> {
  readonly files: Files;
}

/** Paths whose names fit, one after the other as folders are listed, folder by folder in order. */
export async function* scan(place: SearchPlace, search: Search): AsyncGenerator<string, void> {
  const fits = nameMatcher(search.pattern);
  const only = ({ name, kind }: DirectoryEntry): boolean => (kind !== 'directory' || !search.filesOnly) && fits(name);
  let left = search.limit;
  for await (const { path, kind } of walk(place.files, search.root, {
    signal: place.signal,
    skipsUnreadable: true,
    only,
  })) {
    if (!(await isWanted(place, path, kind, search))) continue;
    yield path;
    left -= 1;
    if (left <= 0) return;
  }
}

/** Yields, from names in order and relative to the root, those that fit and still exist. */
export async function* standing(
  place: SearchPlace,
  search: Search,
  names: readonly string[],
): AsyncGenerator<string, void> {
  const fits = nameMatcher(search.pattern);
  let left = search.limit;
  for (const name of names) {
    if (!fits(basename(name))) continue;
    const path = join(search.root, name);
    const there = await entryAt(place.files, path);
    if (there === undefined || !(await isWanted(place, path, there.kind, search))) continue;
    yield path;
    left -= 1;
    if (left <= 0) return;
  }
}

/** Whatever the letter case of a name. */
function nameMatcher(pattern: string): (name: string) => boolean {
  const fits = globMatcher(pattern.toLowerCase());
  return (name) => fits(name.toLowerCase());
}

/** Links count as what they lead to; one that leads nowhere counts as a file. */
async function isWanted(
  { files }: SearchPlace,
  path: string,
  kind: FileStat['kind'],
  { filesOnly }: Search,
): Promise<boolean> {
  if (!filesOnly) return true;
  if (kind !== 'symlink') return kind !== 'directory';
  try {
    return (await files.find(path))?.kind !== 'directory';
  } catch {
    // A circle of links, or a place that may not be looked at.
    return true;
  }
}
