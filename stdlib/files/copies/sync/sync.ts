import { resolve } from 'node:path';

import type { CommandMap } from '#schemas/generated/command-map.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Preview } from '#runtime/kernel/linked.ts';
import { command, type Context } from '#stdlib/command.ts';
import { isElsewhere } from '#grammar/storage-uri/is-elsewhere.ts';
import { entryAt, requireFolder } from '#stdlib/files/kind.ts';
import { isWithin, realPathOf } from '#stdlib/files/real-path.ts';
import { byName } from '#stdlib/files/walk.ts';

import { carryOut, type CarryTools, type Done } from './carry-out.ts';
import { planTree, type PlanTools, type Trees } from './plan-tree.ts';
import { selectionOf } from './selection.ts';
import { previewStored, syncStored, type SyncElsewhere } from './sync-stored.ts';
import { isFile, type TreePlan } from './tree-plan.ts';

export const FA_sync_dir = command(
  'FA_sync_dir',
  async ({ compare, delete: deletes, dry_run, max_delete, progress_name, include, exclude, ...given }, ctx) => {
    const selection = selectionOf(include, exclude);
    const { files, signal, durable } = ctx;
    const { src, dst } = await ofThisMachine(given, ctx);
    if (!import.meta.withoutStorage && (isElsewhere(src) || isElsewhere(dst)))
      return await elsewhere(
        { src, dst, compare, deletes, selection, maxDelete: max_delete },
        { dry_run, progress_name },
        ctx,
      );
    const { plan, trees, real } = await planned({ src, dst, compare, deletes, selection }, ctx);
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
  async ({ compare, delete: deletes, max_delete, include, exclude, ...given }, ctx) => {
    const selection = selectionOf(include, exclude);
    const { src, dst } = await ofThisMachine(given, ctx);
    if (!import.meta.withoutStorage && (isElsewhere(src) || isElsewhere(dst)))
      return await previewElsewhere({ src, dst, compare, deletes, selection, maxDelete: max_delete }, ctx);
    const { plan, trees } = await planned({ src, dst, compare, deletes, selection }, ctx);
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

/** Both folders; an address of this machine becomes a path, for which links and permission bits are known. */
async function ofThisMachine(given: Pick<Sync, 'src' | 'dst'>, ctx: Context<'FA_sync_dir'>): Promise<typeof given> {
  const pathOf = async (address: string): Promise<string> => {
    if (import.meta.withoutStorage || !/^(?:file|local):/i.test(address)) return address;
    const { path } = await ctx.storage.open(address, {}, { signal: ctx.signal });
    return resolve(ctx.folders.cwd, path);
  };
  return { src: await pathOf(given.src), dst: await pathOf(given.dst) };
}

async function elsewhere(
  wanted: SyncElsewhere,
  { dry_run, progress_name }: Pick<Sync, 'dry_run' | 'progress_name'>,
  ctx: Context<'FA_sync_dir'>,
): Promise<CommandMap['FA_sync_dir']['result']> {
  if (!isElsewhere(wanted.src)) await requireFolder(ctx.files, wanted.src);
  const done = dry_run ? await previewStored(ctx, wanted) : await syncStored(ctx, wanted, progress_name);
  return {
    copied: [...done.copied],
    skipped: [...done.skipped],
    deleted: [...done.deleted],
    updated: [],
    folders_made: [...done.folders_made],
    folders_removed: [...done.folders_removed].sort(),
    errors: done.errors.map(([name, message]): [string, string] => [name, message]),
    dry_run,
  };
}

async function previewElsewhere(wanted: SyncElsewhere, ctx: Context<'FA_sync_dir'>): Promise<Preview> {
  const { copied, deleted, folders_made, folders_removed } = await previewStored(ctx, wanted);
  return {
    copy: [...copied],
    delete: [...deleted],
    'make folder': [...folders_made],
    'remove folder': [...folders_removed],
  };
}

type Sync = CommandMap['FA_sync_dir']['params'];

async function planned(
  { src, dst, ...rule }: Pick<Sync, 'src' | 'dst'> & Pick<PlanTools, 'compare' | 'deletes' | 'selection'>,
  ctx: Context<'FA_sync_dir'>,
): Promise<{ readonly plan: TreePlan; readonly trees: Trees; readonly real: CarryTools['real'] }> {
  const { files, signal, folders } = ctx;
  const trees = { source: resolve(folders.cwd, src), target: resolve(folders.cwd, dst) };
  const { real, ...roots } = await rootsOf(ctx, trees);
  const plan = await planTree({ ...trees, files, signal, ...rule }, roots);
  if (rule.deletes && !plan.isWhole && plan.removals.length > 0) keepExtras(plan, trees);
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

/**
 * Keeps the extras, with an error, where a folder could not be read: its content would look as if it had been
 * deleted.
 */
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
