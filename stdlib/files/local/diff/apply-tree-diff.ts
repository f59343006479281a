import { dirname, join } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { entryAt } from '#stdlib/files/kind.ts';

import type { TreePlace } from './compare-trees.ts';

export interface Trees {
  readonly target: string;
  readonly source: string;
}

interface TreeChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** Looks at every name in both trees before it changes the first one. */
export async function applyTreeDiff(place: TreePlace, changes: TreeChanges, trees: Trees): Promise<void> {
  const { files, signal } = place;
  const { target, source } = trees;
  const { removed, put } = await checkedChanges(files, changes, trees);
  for (const name of removed) {
    signal.throwIfAborted();
    const path = join(target, name);
    if ((await entryAt(files, path)) !== undefined) await files.remove(path);
  }
  for (const name of put) {
    signal.throwIfAborted();
    await putEntry(place, join(source, name), join(target, name));
  }
}

/** Names to remove and to put; fails for those that cannot be. */
export async function checkedChanges(
  files: Files,
  { added, removed, changed }: TreeChanges,
  { target, source }: Trees,
): Promise<{ readonly removed: readonly string[]; readonly put: readonly string[] }> {
  for (const name of removed) await requireRemovable(files, await placeIn(files, target, name));
  const put = [...added, ...changed];
  for (const name of put) {
    await placeIn(files, target, name);
    const found = await entryAt(files, await placeIn(files, source, name));
    if (found?.kind !== 'file' && found?.kind !== 'symlink') throw fail.diffSourceLacks({ name, source });
  }
  return { removed, put };
}

/** The path of a name in a tree. Names that lead elsewhere are refused, also through a link on the way. */
async function placeIn(files: Files, base: string, name: string): Promise<string> {
  const parts = name.split(/[\\/]/);
  if (name.includes('\0')) throw fail.zeroInPath({});
  if (name === '' || /^[\\/]|^[A-Za-z]:/.test(name) || parts.includes('..') || parts.includes(''))
    throw fail.pathOutside({ name, base });
  for (let way = dirname(name); way !== '.'; way = dirname(way)) {
    if ((await entryAt(files, join(base, way)))?.kind === 'symlink') throw fail.pathOutside({ name, base });
  }
  return join(base, name);
}

async function requireRemovable(files: Files, path: string): Promise<void> {
  if ((await entryAt(files, path))?.kind === 'directory') throw fail.isAFolder({ path });
}

async function putEntry({ files, signal }: TreePlace, from: string, to: string): Promise<void> {
  try {
    await files.makeDirectory(dirname(to), { recursive: true });
    const there = await entryAt(files, to);
    if (there?.kind === 'directory') await removeEmpty(files, to);
    const isLink = (await entryAt(files, from))?.kind === 'symlink';
    if (there !== undefined && there.kind !== 'directory' && (isLink || there.kind !== 'file')) await files.remove(to);
    if (isLink) await files.link(await files.readLink(from), to);
    else await files.copy(from, to, { metadata: true, signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw fail.copyFailed({ source: from, target: to, cause });
  }
}

/** A folder that holds nothing but folders: comparisons do not see it, so a file may take its place. */
async function removeEmpty(files: Files, path: string): Promise<void> {
  for (const { name, kind } of await files.list(path)) {
    if (kind !== 'directory') throw fail.isAFolder({ path });
    await removeEmpty(files, join(path, name));
  }
  await files.remove(path);
}
