import { basename, join, relative } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { CopyPlace } from '#stdlib/files/copy-tree.ts';
import { hasExtension } from '#stdlib/files/extension.ts';
import { foundAt } from '#stdlib/files/kind.ts';
import { isWithin, realPathOf } from '#stdlib/files/real-path.ts';
import { walk } from '#stdlib/files/walk.ts';

export interface CollectRequest {
  readonly root: string;
  readonly extension: string;
  readonly target: string;
}

export interface PlannedCopy {
  readonly source: string;
  readonly target: string;
}

/**
 * Files with an extension that go into one folder under their base names. Files that lie in that folder already
 * are left out, so that a second run does the same as the first. Fails when two files would get one name.
 */
export async function collectCopies(
  { files, cwd, signal }: CopyPlace,
  { root, extension, target }: CollectRequest,
): Promise<readonly PlannedCopy[]> {
  const taken = new Map<string, string>();
  const copies: PlannedCopy[] = [];
  const from = await realPathOf(files, cwd, root);
  const into = await realPathOf(files, cwd, target);
  const without =
    isWithin(from, into) && from !== into ? new Set([join(root, relative(from, into))]) : new Set<string>();
  for await (const { path, name, kind } of walk(files, root, { signal, without })) {
    if (!hasExtension(name, extension) || (kind !== 'file' && kind !== 'symlink')) continue;
    if (kind === 'symlink' && (await foundAt(files, path))?.kind !== 'file') continue;
    const base = basename(path);
    const key = base.normalize().toLowerCase();
    const first = taken.get(key);
    if (first !== undefined) throw fail.namesCollide({ first, second: path, name: join(target, base) });
    taken.set(key, path);
    if (join(from, name) !== join(into, base)) copies.push({ source: path, target: join(target, base) });
  }
  return copies;
}
