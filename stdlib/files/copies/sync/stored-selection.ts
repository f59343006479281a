import type { Entry } from '#stdlib/files/backends/backend.ts';

import type { Selection } from './selection.ts';
import { parentOf } from './tree-plan.ts';

export type NamedEntry = readonly [name: string, entry: Entry];

/** Whether an entry of storage takes part. */
export function takesEntry(selection: Selection, [name, { kind }]: NamedEntry): boolean {
  return selection.takes(name, kind === 'folder');
}

/** Names of what is not selected, and of the folders above. */
export function stayingIn(entries: readonly NamedEntry[], selection: Selection): Set<string> {
  const staying = new Set<string>();
  for (const entry of entries) if (!takesEntry(selection, entry)) addUpwards(staying, entry[0]);
  return staying;
}

function addUpwards(names: Set<string>, from: string): void {
  for (let name = from; name !== '' && !names.has(name); name = parentOf(name)) names.add(name);
}

/**
 * Leaves out folders in which something stays, and those that are not selected themselves and lose nothing. Entries are
 * sorted.
 */
export function leaving(
  extras: readonly NamedEntry[],
  staying: ReadonlySet<string>,
  selection: Selection,
): readonly NamedEntry[] {
  const holding = new Set(staying);
  const losing = new Set<string>();
  const goes = ([name, { kind }]: NamedEntry): boolean =>
    kind !== 'folder' || (!holding.has(name) && (losing.has(name) || selection.takesWhole(name)));
  return extras
    .toReversed()
    .filter((entry) => {
      const isGoing = goes(entry);
      if (isGoing) losing.add(parentOf(entry[0]));
      else addUpwards(holding, entry[0]);
      return isGoing;
    })
    .toReversed();
}
