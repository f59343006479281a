import { call } from '#compiler/engine/call.ts';
import type { SessionOptions } from '#compiler/engine/unit-session.ts';

/** Differences of a new tree from an old one: ways from the root with `/`, sorted. Cannot be changed. */
export interface DirDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Nothing is added, removed or changed. */
  readonly is_empty: boolean;
}

/** Compares two trees by content. Folders themselves do not count, and links count by where they lead. */
export async function diff_dirs(left: string, right: string, options: SessionOptions = {}): Promise<DirDiff> {
  const { added, removed, changed } = await call('FA_diff_dirs', { left, right }, options);
  return Object.freeze({
    added: Object.freeze(added),
    removed: Object.freeze(removed),
    changed: Object.freeze(changed),
    is_empty: added.length + removed.length + changed.length === 0,
  });
}

/** A comparison as pairs: everything added, then removed, then changed. */
export function* iter_dir_diff({
  added,
  removed,
  changed,
}: Pick<DirDiff, 'added' | 'removed' | 'changed'>): Generator<
  readonly ['added' | 'removed' | 'changed', string],
  void
> {
  for (const path of added) yield ['added', path];
  for (const path of removed) yield ['removed', path];
  for (const path of changed) yield ['changed', path];
}
