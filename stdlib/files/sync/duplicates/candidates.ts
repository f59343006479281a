import type { Base } from '#runtime/kernel/ports.ts';
import type { Files } from '#schemas/types/host.ts';
import { inParallel } from '#stdlib/files/in-parallel.ts';
import { isOutOfReach, walk } from '#stdlib/files/walk.ts';

import type { Group } from './by-digest.ts';

/** Files that are looked at in one go, so that memory holds no more than the names that stay. */
const BATCH = 1024;

interface Seen {
  readonly path: string;
  readonly size: number;
  readonly identity: string;
}

/** Files that share their size with another one. Of several names of one file the first in order stands for it. */
export async function candidates({ files, signal }: Pick<Base, 'signal'> & { readonly files: Files }, root: string, minSize: number): Promise<readonly Group[]> {
  const bySize = new Map<number, Map<string, string>>();
  const take = async (batch: readonly string[]): Promise<void> => {
    signal.throwIfAborted();
    for (const { path, size, identity } of await looked(files, batch)) {
      if (size < minSize) continue;
      const same = bySize.get(size) ?? new Map<string, string>();
      const there = same.get(identity);
      if (there === undefined || path < there) same.set(identity, path);
      bySize.set(size, same);
    }
  };
  let batch: string[] = [];
  for await (const { path, kind } of walk(files, root, { signal, skipsUnreadable: true })) {
    if (kind !== 'file') continue;
    if (batch.push(path) < BATCH) continue;
    await take(batch);
    batch = [];
  }
  await take(batch);
  return [...bySize].flatMap(([size, same]) => (same.size > 1 ? [{ size, paths: [...same.values()].sort() }] : []));
}

async function looked(files: Files, paths: readonly string[]): Promise<readonly Seen[]> {
  const found: Seen[] = [];
  await inParallel(paths, async (path) => {
    try {
      const { kind, size, dev, ino } = await files.lstat(path);
      if (kind === 'file') found.push({ path, size, identity: `${dev}:${ino}` });
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
    }
  });
  return found;
}
