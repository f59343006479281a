import { addAll } from '#grammar/source/add-all.ts';
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
  /**
   * Hears why a file cannot be read, which then counts as modified, while folders that cannot be read count as empty.
   * Without it that ends the comparison.
   */
  readonly unread?: (error: unknown) => void;
}

/**
 * Compares a tree with what was recorded of it. Only what a walk of the tree finds is looked at, so that a name in a
 * doctored manifest can tell nothing of files elsewhere.
 */
export async function compareTree(tools: ManifestTools, tree: RecordedTree): Promise<Comparison> {
  const present = new Map<string, Found>();
  for await (const found of filesOf(tools, tree, { skipsUnreadable: tree.unread !== undefined }))
    present.set(found.name, found);
  const result: Comparison = { matched: [], missing: [], modified: [], extra: [], ok: true };
  for (const [name, entry] of Object.entries(tree.recorded).sort(([one], [other]) =>
    byName({ name: one }, { name: other }),
  )) {
    const found = present.get(name);
    result[found === undefined ? 'missing' : await outcomeOf(tools, tree, found, entry)].push(name);
    present.delete(name);
  }
  addAll(result.extra, [...present.keys()].sort());
  return { ...result, ok: result.missing.length === 0 && result.modified.length === 0 };
}

/** Outcome of a file; one that has vanished since the walk is missing. */
async function outcomeOf(
  tools: ManifestTools,
  tree: RecordedTree,
  found: Found,
  recorded: RecordedEntry,
): Promise<'matched' | 'modified' | 'missing'> {
  try {
    return (await isUnchanged(tools, tree, found, recorded)) ? 'matched' : 'modified';
  } catch (error) {
    tools.signal.throwIfAborted();
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'missing';
    if (!tree.unread) throw error;
    tree.unread(error);
    return 'modified';
  }
}

/** A size that differs settles it without reading the file. A pipe, a socket or a device is no file. */
async function isUnchanged(
  tools: ManifestTools,
  { digest }: Tree,
  found: Found,
  recorded: RecordedEntry,
): Promise<boolean> {
  if (found.kind !== 'file' && found.kind !== 'symlink') return false;
  if (recorded.checksum === undefined || (found.kind === 'symlink') !== (recorded.link !== undefined)) return false;
  const expected = recorded.checksum.toLowerCase();
  if (found.kind === 'symlink') return (await linkEntry(tools, found, digest)).checksum === expected;
  const { size } = await tools.files.lstat(found.path);
  if (recorded.size !== undefined && recorded.size !== size) return false;
  return (await digestFile(tools, found.path, digest)) === expected;
}
