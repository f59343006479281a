import { asFailure } from '#runtime/kernel/as-failure.ts';
import type { Files, FileStat } from '#schemas/types/host.ts';
import { byName } from '#stdlib/files/walk.ts';

import type { Selection } from './selection.ts';
import { below, parentOf, type Removal, type TreePlan } from './tree-plan.ts';

export interface RemovalTools {
  readonly files: Files;
  readonly signal: AbortSignal;
  readonly target: string;
  readonly selection: Selection;
  readonly plan: TreePlan;
}

interface Doomed {
  readonly name: string;
  readonly stat: FileStat;
}

/**
 * Lists what goes when an entry of the target goes with all that is in it: content before its folder. A link goes
 * itself, it is not entered. What is not selected stays, and with it the folders that it is in.
 */
export async function removalsOf(tools: RemovalTools, doomed: Doomed): Promise<readonly Removal[]> {
  const { selection, signal } = tools;
  // The entry that is taken last here goes first: folders are listed before their content, and the list is turned round.
  const order: Removal[] = [];
  const holding = new Set<string>();
  const waiting = [doomed];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    signal.throwIfAborted();
    const { name, stat } = next;
    const isFolder = stat.kind === 'directory';
    if (!selection.takes(name, isFolder)) {
      holding.add(parentOf(name));
      continue;
    }
    if (!isFolder) {
      order.push({ name });
      continue;
    }
    order.push({ name, folderMode: stat.mode & 0o7777 });
    for (const inside of await contentOf(tools, name)) waiting.push(inside);
  }
  return leaving(order.reverse(), holding, selection);
}

/** A folder that is not selected itself goes only with something that was in it. */
function leaving(order: readonly Removal[], holding: Set<string>, selection: Selection): readonly Removal[] {
  const losing = new Set<string>();
  return order.filter(({ name, folderMode }) => {
    const goes = folderMode === undefined || (!holding.has(name) && (losing.has(name) || selection.takesWhole(name)));
    (goes ? losing : holding).add(parentOf(name));
    return goes;
  });
}

async function contentOf(tools: RemovalTools, folder: string): Promise<Doomed[]> {
  const { files, signal, target, selection, plan } = tools;
  try {
    const entries = [...(await files.survey(below(target, folder), signal))].sort(byName);
    const doomed: Doomed[] = [];
    for (const { name, stat } of entries) {
      const inside = { name: below(folder, name), stat };
      doomed.push(inside);
      if (stat.kind !== 'directory' && selection.takes(inside.name, false)) plan.held += 1;
    }
    return doomed;
  } catch (error) {
    signal.throwIfAborted();
    plan.errors.push([folder, asFailure(error, 'FA_sync_dir').message]);
    plan.stuck.push(folder);
    return [];
  }
}
