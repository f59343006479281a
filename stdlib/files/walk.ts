import { join } from 'node:path';

import type { DirectoryEntry, Files, FileStat } from '#schemas/types/host.ts';

/** What stands below a folder, named by its way from there. */
export interface Found {
  /** With `/` between the names on every system. */
  readonly name: string;
  /** As the system takes it: the folder that was given and the name. */
  readonly path: string;
  readonly kind: FileStat['kind'];
}

export interface WalkOptions {
  readonly signal?: AbortSignal;
  /** Folders that are left out with all that is in them, by the path that `walk` would give. */
  readonly without?: ReadonlySet<string>;
  /** Folders below the root that may not be read, or that vanish on the way, count as empty. */
  readonly skipsUnreadable?: boolean;
}

/**
 * Everything below a folder: in each folder sorted by name, a folder before what is in it. Links are found, never followed.
 * Memory grows with the widest folder on the way, not with the tree.
 */
export async function* walk(files: Files, root: string, options: WalkOptions = {}): AsyncGenerator<Found> {
  const open: Found[][] = [await below(files, root, '')];
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    options.signal?.throwIfAborted();
    const found = level.pop();
    if (found === undefined) {
      open.pop();
    } else if (!options.without?.has(found.path)) {
      yield found;
      if (found.kind === 'directory') open.push(await belowOrNothing(files, found, options));
    }
  }
}

/** All of it at once, for what must be looked at before the first change. */
export async function walkAll(files: Files, root: string, options: WalkOptions = {}): Promise<Found[]> {
  const all: Found[] = [];
  for await (const found of walk(files, root, options)) all.push(found);
  return all;
}

async function belowOrNothing(files: Files, { path, name }: Found, { skipsUnreadable = false }: WalkOptions): Promise<Found[]> {
  try {
    return await below(files, path, `${name}/`);
  } catch (error) {
    if (skipsUnreadable && isOutOfReach(error)) return [];
    throw error;
  }
}

/** Whether something may not be read, or is no longer there. */
export function isOutOfReach(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && ['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'].includes(error.code);
}

/** The entries of one folder, the last name first: `walk` takes them from the end. */
async function below(files: Files, folder: string, prefix: string): Promise<Found[]> {
  const entries = [...(await files.list(folder))].sort((one, other) => byName(other, one));
  return entries.map(({ name, kind }) => ({ name: prefix + name, path: join(folder, name), kind }));
}

/** By code units, the same on every machine and in every language. */
export function byName(one: Pick<DirectoryEntry, 'name'>, other: Pick<DirectoryEntry, 'name'>): number {
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
}
