import type { Base } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { inParallel } from '#stdlib/files/in-parallel.ts';
import { walk, type Found } from '#stdlib/files/walk.ts';

export interface TreeDiff {
  readonly added: string[];
  readonly removed: string[];
  readonly changed: string[];
}

export interface TreePlace extends Pick<Base, 'signal'> {
  readonly files: Files;
}

const PIECE = 1 << 20;

/**
 * Differences of another tree: files that it has, lacks, and has with other content. Links count by where they
 * lead; folders do not count.
 */
export async function compareTrees(place: TreePlace, left: string, right: string): Promise<TreeDiff> {
  const [before, after] = [await entriesOf(place, left), await entriesOf(place, right)];
  const both = [...before.values()].filter(({ name }) => after.has(name));
  const changed: string[] = [];
  await inParallel(both, async (one) => {
    place.signal.throwIfAborted();
    if (!(await isEqual(place, one, after.get(one.name) ?? one))) changed.push(one.name);
  });
  return {
    added: [...after.keys()].filter((name) => !before.has(name)).sort(),
    removed: [...before.keys()].filter((name) => !after.has(name)).sort(),
    changed: changed.sort(),
  };
}

async function entriesOf({ files, signal }: TreePlace, root: string): Promise<ReadonlyMap<string, Found>> {
  const entries = new Map<string, Found>();
  for await (const found of walk(files, root, { signal })) {
    if (found.kind === 'directory') continue;
    if (found.kind !== 'file' && found.kind !== 'symlink') throw fail.specialFile({ path: found.path });
    entries.set(found.name, found);
  }
  return entries;
}

async function isEqual(place: TreePlace, one: Found, other: Found): Promise<boolean> {
  if (one.kind !== other.kind) return false;
  if (one.kind === 'symlink')
    return (await place.files.readLink(one.path)) === (await place.files.readLink(other.path));
  return hasEqualContent(place, one.path, other.path);
}

/** Sizes first; then byte by byte, up to the first difference. */
async function hasEqualContent({ files, signal }: TreePlace, one: string, other: string): Promise<boolean> {
  const left = await files.open(one);
  try {
    const right = await files.open(other);
    try {
      if (left.size !== right.size) return false;
      for (let at = 0; at < left.size; at += PIECE) {
        signal.throwIfAborted();
        if (Buffer.compare(await left.readAt(at, PIECE), await right.readAt(at, PIECE)) !== 0) return false;
      }
      return true;
    } finally {
      await right.close();
    }
  } finally {
    await left.close();
  }
}
