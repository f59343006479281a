import { join, sep } from 'node:path';

import type { DirectoryEntry, Files, FileStat } from '#schemas/types/host.ts';

/** File or folder below a folder, named by its way from there. */
export interface Found {
  /** Name with `/` between its parts on every system. */
  readonly name: string;
  /** Path as the system takes it: the folder that was given and the name. */
  readonly path: string;
  readonly kind: FileStat['kind'];
}

export interface WalkOptions {
  readonly signal?: AbortSignal;
  /** Folders that are left out with all that is in them, by the path that `walk` would give. */
  readonly without?: ReadonlySet<string>;
  /** Whether an entry is found, by its own name and kind alone. Folders are gone through all the same. */
  readonly only?: (entry: DirectoryEntry) => boolean;
  /** Folders below the root that may not be read, or that vanish on the way, count as empty. */
  readonly skipsUnreadable?: boolean;
}

/** Entries of a folder that are still to come. */
interface Level {
  /** Text before its entries' names, in names and in paths. */
  readonly prefix: string;
  readonly start: string;
  /** The last name first: they are taken from the end. */
  readonly entries: DirectoryEntry[];
}

/**
 * Everything below a folder: in each folder sorted by name, a folder before what is in it. Links are found, never
 * followed. Memory grows with the widest folder on the way, not with the tree.
 */
export async function* walk(files: Files, root: string, options: WalkOptions = {}): AsyncGenerator<Found> {
  const { signal, without, only } = options;
  const open = [await below(files, { name: '', path: root }, options)];
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    signal?.throwIfAborted();
    const entry = level.entries.pop();
    if (entry === undefined) {
      open.pop();
      continue;
    }
    const found = { name: level.prefix + entry.name, path: level.start + entry.name, kind: entry.kind };
    if (without?.has(found.path)) continue;
    if (only === undefined || only(entry)) yield found;
    if (found.kind === 'directory') open.push(await belowOrNothing(files, found, options));
  }
}

/** All of it at once, for what must be looked at before the first change. */
export async function walkAll(files: Files, root: string, options: WalkOptions = {}): Promise<Found[]> {
  const all: Found[] = [];
  for await (const found of walk(files, root, options)) all.push(found);
  return all;
}

async function belowOrNothing(files: Files, folder: Place, options: WalkOptions): Promise<Level> {
  try {
    return await below(files, folder, options);
  } catch (error) {
    if (options.skipsUnreadable && isOutOfReach(error)) return { prefix: '', start: '', entries: [] };
    throw error;
  }
}

/** Whether something may not be read, or is no longer there. */
export function isOutOfReach(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    ['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'].includes(error.code)
  );
}

type Place = Pick<Found, 'name' | 'path'>;

async function below(files: Files, { name, path }: Place, { only }: WalkOptions): Promise<Level> {
  const listed = await files.list(path);
  const entries =
    only === undefined ? [...listed] : listed.filter((entry) => entry.kind === 'directory' || only(entry));
  return {
    prefix: name === '' ? '' : `${name}/`,
    // Tidied once: the names of entries need none.
    start: name === '' ? join(path, 'x').slice(0, -1) : path + sep,
    entries: entries.sort((one, other) => byName(other, one)),
  };
}

/** Order by code units, the same on every machine and in every language. */
export function byName(one: Pick<DirectoryEntry, 'name'>, other: Pick<DirectoryEntry, 'name'>): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
}
