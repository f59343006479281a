import { asFailure } from '#runtime/kernel/as-failure.ts';
import type { Files, FileStat } from '#schemas/types/host.ts';
import { byName } from '#stdlib/files/walk.ts';

import { below, type Removal, type TreePlan } from './tree-plan.ts';

export interface RemovalTools {
  readonly files: Files;
  readonly signal: AbortSignal;
  readonly target: string;
  readonly plan: TreePlan;
}

interface Doomed {
  readonly name: string;
  readonly stat: FileStat;
}

/**
 * Plans that an entry of the target goes with all that is in it: content before its folder. A link goes itself, it is
 * not entered.
 */
export async function planRemoval(tools: RemovalTools, doomed: Doomed): Promise<void> {
  const { plan, signal } = tools;
  // The entry that is taken last here goes first: folders are listed before their content, and the list is turned round.
  const order: Removal[] = [];
  const waiting = [doomed];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    signal.throwIfAborted();
    const { name, stat } = next;
    if (stat.kind !== 'directory') {
      order.push({ name });
      continue;
    }
    order.push({ name, folderMode: stat.mode & 0o7777 });
    for (const inside of await contentOf(tools, name)) waiting.push(inside);
  }
  for (const removal of order.reverse()) plan.removals.push(removal);
}

async function contentOf({ files, signal, target, plan }: RemovalTools, folder: string): Promise<Doomed[]> {
  try {
    const entries = [...(await files.survey(below(target, folder), signal))].sort(byName);
    const doomed: Doomed[] = [];
    for (const { name, stat } of entries) {
      doomed.push({ name: below(folder, name), stat });
      if (stat.kind !== 'directory') plan.held += 1;
    }
    return doomed;
  } catch (error) {
    signal.throwIfAborted();
    plan.errors.push([folder, asFailure(error, 'FA_sync_dir').message]);
    plan.stuck.push(folder);
    return [];
  }
}
