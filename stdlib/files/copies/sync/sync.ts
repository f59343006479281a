import { resolve } from 'node:path';

import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import { command, type Context } from '#stdlib/command.ts';
import { entryAt, requireFolder } from '#stdlib/files/kind.ts';
import { isWithin, realPathOf } from '#stdlib/files/real-path.ts';
import { byName } from '#stdlib/files/walk.ts';

import { carryOut, type CarryTools, type Done } from './carry-out.ts';
import { planTree, type Trees } from './plan-tree.ts';
import { isFile, type TreePlan } from './tree-plan.ts';

export const FA_sync_dir = command(
  'FA_sync_dir',
  async ({ src, dst, compare, delete: deletes, dry_run, max_delete, progress_name }, ctx) => {
    const { files, signal, durable } = ctx;
    const { plan, trees, real } = await planned({ src, dst, compare, deletes }, ctx);
    if (dry_run) return summary(plan, intended(plan), true);
    refuseTooMany(plan, trees, max_delete);
    const total = plan.copies.reduce((sum, { stat }) => sum + stat.size, 0);
    const done = await ctx.progress.watch({ name: progress_name, total, signal }, (transfer) =>
      carryOut(
        { ...trees, real, files, signal: transfer.signal, durable, onBytes: (bytes) => transfer.update(bytes) },
        plan,
      ),
    );
    return summary(plan, done, false);
  },
  async ({ src, dst, compare, delete: deletes, max_delete }, ctx) => {
    const { plan, trees } = await planned({ src, dst, compare, deletes }, ctx);
    refuseTooMany(plan, trees, max_delete);
    const { copied, updated, deleted, folders_made, folders_removed } = summary(plan, intended(plan), true);
    return {
      copy: copied,
      update: updated,
      delete: deleted,
      'make folder': folders_made,
      'remove folder': folders_removed,
    };
  },
);

type Sync = CommandMap['FA_sync_dir']['params'];

async function planned(
  { src, dst, compare, deletes }: Pick<Sync, 'src' | 'dst' | 'compare'> & { readonly deletes: boolean },
  ctx: Context<'FA_sync_dir'>,
): Promise<{ readonly plan: TreePlan; readonly trees: Trees; readonly real: CarryTools['real'] }> {
  const { files, signal, folders } = ctx;
  const trees = { source: resolve(folders.cwd, src), target: resolve(folders.cwd, dst) };
  const { real, ...roots } = await rootsOf(ctx, trees);
  const plan = await planTree({ ...trees, files, signal, compare, deletes }, roots);
  if (deletes && !plan.isWhole && plan.removals.length > 0) keepExtras(plan, trees);
  return { plan, trees, real };
}

async function rootsOf({ files, folders }: Context<'FA_sync_dir'>, { source, target }: Trees) {
  const found = { source: await requireFolder(files, source), target: await files.find(target) };
  const there = found.target ?? (await entryAt(files, target));
  if (there !== undefined && there.kind !== 'directory') throw fail.notAFolder({ path: target });
  const [from, to] = [await realPathOf(files, folders.cwd, source), await realPathOf(files, folders.cwd, target)];
  if (isWithin(from, to) || isWithin(to, from)) throw fail.syncTreesOverlap({ source, target });
  return { ...found, real: { from, to } };
}

/** What a folder holds that could not be read would look as if it had been deleted. */
function keepExtras(plan: TreePlan, { target }: Trees): void {
  plan.removals.length = 0;
  plan.errors.push(['.', fail.syncKeptExtras({ path: target }).message]);
}

function refuseTooMany(plan: TreePlan, { target }: Trees, allowed: number | null): void {
  const count = plan.removals.filter(isFile).length;
  const limit = allowed ?? Math.floor(plan.held / 2);
  if (count > limit) throw fail.syncDeletesTooMuch({ count, total: plan.held, path: target, limit });
}

function intended(plan: TreePlan): Done {
  return {
    copied: [...plan.copies, ...plan.links].map(({ name }) => name),
    deleted: plan.removals.filter(isFile).map(({ name }) => name),
    updated: [...plan.updates, ...plan.folders.filter(({ differs }) => differs)].map(({ name }) => name),
    foldersMade: plan.folders.filter(({ there }) => there?.kind !== 'directory').map(({ name }) => name),
    foldersRemoved: plan.removals.filter((removal) => !isFile(removal)).map(({ name }) => name),
    errors: plan.errors,
  };
}

function summary({ skipped }: TreePlan, done: Done, dry_run: boolean) {
  const names = (list: readonly string[]): string[] => list.map((name) => name || '.').sort();
  return {
    copied: names(done.copied),
    skipped: names(skipped),
    deleted: names(done.deleted),
    updated: names(done.updated),
    folders_made: names(done.foldersMade),
    folders_removed: names(done.foldersRemoved),
    errors: done.errors
      .map(([name, message]): [string, string] => [name || '.', message])
      .sort(([one], [other]) => byName({ name: one }, { name: other })),
    dry_run,
  };
}
