import { digestFile } from '#stdlib/files/digest-file.ts';
import { byName, type Found } from '#stdlib/files/walk.ts';

import { filesOf, linkEntry, type ManifestTools, type Tree } from './record-tree.ts';
import type { RecordedEntry } from './read-manifest.ts';

export interface Comparison {
  readonly matched: string[];
  readonly missing: string[];
  readonly modified: string[];
  readonly extra: string[];
  readonly ok: boolean;
}

export interface RecordedTree extends Tree {
  readonly recorded: Readonly<Record<string, RecordedEntry>>;
}

/**
 * Compares a tree with what was recorded of it. Only what a walk of the tree finds is looked at, so that a name in a doctored
 * manifest can tell nothing of files elsewhere.
 */
export async function compareTree(tools: ManifestTools, tree: RecordedTree): Promise<Comparison> {
  const present = new Map<string, Found>();
  for await (const found of filesOf(tools, tree)) present.set(found.name, found);
  const result: Comparison = { matched: [], missing: [], modified: [], extra: [], ok: true };
  for (const [name, entry] of Object.entries(tree.recorded).sort(([one], [other]) => byName({ name: one }, { name: other }))) {
    const found = present.get(name);
    if (found === undefined) result.missing.push(name);
    else if (await isUnchanged(tools, tree, found, entry)) result.matched.push(name);
    else result.modified.push(name);
    present.delete(name);
  }
  result.extra.push(...[...present.keys()].sort());
  return { ...result, ok: result.missing.length === 0 && result.modified.length === 0 };
}

/** A size that differs settles it without reading the file. */
async function isUnchanged(tools: ManifestTools, { digest }: Tree, found: Found, recorded: RecordedEntry): Promise<boolean> {
  if (recorded.checksum === undefined || (found.kind === 'symlink') !== (recorded.link !== undefined)) return false;
  const expected = recorded.checksum.toLowerCase();
  if (found.kind === 'symlink') return (await linkEntry(tools, found, digest)).checksum === expected;
  const { size } = await tools.files.lstat(found.path);
  if (recorded.size !== undefined && recorded.size !== size) return false;
  return (await digestFile(tools, found.path, digest)) === expected;
}
