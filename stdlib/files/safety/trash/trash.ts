import { basename, dirname, join, resolve } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import { commandRaising, type Context } from '#stdlib/command.ts';
import { hasCode } from '#stdlib/files/has-code.ts';
import { entryAt } from '#stdlib/files/kind.ts';
import { isWithin, realPathOf } from '#stdlib/files/real-path.ts';
import { walk } from '#stdlib/files/walk.ts';

import { beginIntent, isPlain, settleIntents, unfinished } from './intents.ts';
import { moveContent } from './move-content.ts';
import { removeEntry } from './remove-entry.ts';
import { openCan } from './open-can.ts';
import type { Discarded, TrashCan, TrashEntry, TrashTools } from './trash-can.ts';

const command = commandRaising('VersioningException');

export const FA_trash_send = command(
  'FA_trash_send',
  async ({ path, trash_dir }, ctx) => {
    const item = await itemAt(path, trash_dir, ctx);
    const can = await openCan(ctx, trash_dir);
    await can.prepare();
    return discard(ctx, can, item);
  },
  async ({ path, trash_dir }, ctx) => {
    const { original, is_dir } = await itemAt(path, trash_dir, ctx);
    const names = [original];
    if (is_dir) for await (const below of walk(ctx.files, original, { signal: ctx.signal })) names.push(below.path);
    return { 'throw away': names };
  },
);

/** A file or folder that is to be thrown away. Fails where there is none, and where it and the can overlap. */
async function itemAt(path: string, can: string, ctx: Context<'FA_trash_send'>): Promise<Discarded> {
  const original = resolve(ctx.folders.cwd, path);
  const item = await entryAt(ctx.files, original);
  if (item === undefined) throw fail.trashSource({ path });
  await refuseOverlap(ctx, original, can);
  return { original, is_dir: item.kind === 'directory' };
}

export const FA_trash_list = command('FA_trash_list', async ({ trash_dir }, ctx) => {
  const can = await openCan(ctx, trash_dir);
  const coming = await unfinished(ctx, can);
  return oldestFirst(
    (await can.entries()).filter(({ trash_id, problem }) => problem === undefined || !coming.has(trash_id)),
  );
});

export const FA_trash_restore = command('FA_trash_restore', async ({ trash_id, trash_dir, destination }, ctx) => {
  const can = await openCan(ctx, trash_dir);
  const entry = isPlain(trash_id) ? (await can.entries()).find((one) => one.trash_id === trash_id) : undefined;
  if (entry === undefined || (await entryAt(ctx.files, entry.path)) === undefined)
    throw fail.trashUnknown({ trash_id, trash_dir });
  if (destination === null && entry.original === '') throw fail.trashOriginUnknown({ trash_id, trash_dir });
  const target = resolve(ctx.folders.cwd, destination ?? entry.original);
  await refuseInside(ctx, target, trash_dir);
  if ((await entryAt(ctx.files, target)) !== undefined) throw fail.trashOccupied({ path: target, trash_id });
  try {
    await bringBack(ctx, can, entry, target);
  } catch (error) {
    // Somebody else has taken it out meanwhile.
    if (hasCode(error, 'ENOENT') && (await entryAt(ctx.files, entry.path)) === undefined)
      throw fail.trashUnknown({ trash_id, trash_dir });
    throw error;
  }
  return target;
});

export const FA_trash_empty = command(
  'FA_trash_empty',
  async ({ trash_dir }, ctx) => {
    const can = await openCan(ctx, trash_dir);
    const busy = await settleIntents(ctx, can);
    const entries = (await can.entries()).filter((entry) => !busy.has(entry.trash_id));
    return entries.length === 0 ? 0 : await removeAll(ctx, can, entries);
  },
  async ({ trash_dir }, ctx) => {
    const can = await openCan(ctx, trash_dir);
    const busy = await unfinished(ctx, can);
    const entries = (await can.entries()).filter((entry) => !busy.has(entry.trash_id));
    return { delete: entries.map(({ path }) => path) };
  },
);

/** Removes entries; fails for those that cannot be removed after the rest has gone. */
async function removeAll(tools: TrashTools, can: TrashCan, entries: readonly TrashEntry[]): Promise<number> {
  const stuck: { readonly path: string; readonly cause: unknown }[] = [];
  let removed = 0;
  await tools.files.makeDirectory(can.workshop, { recursive: true });
  const intent = await beginIntent(tools, can);
  try {
    for (const entry of entries) {
      tools.signal.throwIfAborted();
      try {
        if (await removeEntry(tools, can, intent, entry)) removed += 1;
      } catch (cause) {
        stuck.push({ path: entry.path, cause });
      }
    }
  } finally {
    await intent.end();
  }
  await can.changed(
    undefined,
    entries.map((entry) => entry.trash_id),
  );
  if (stuck[0]) throw fail.removeFailed(stuck[0]);
  return removed;
}

/** Facts first: content never stands in the can without them, whenever the process ends. */
async function discard(tools: TrashTools, can: TrashCan, item: Discarded): Promise<TrashEntry> {
  const intent = await beginIntent(tools, can);
  try {
    await settleIntents(tools, can);
    for (const id of can.idsFor(item)) {
      await intent.about(id);
      const entry = await can.record(id, item);
      if (entry === undefined) continue;
      await moveOrForget(tools, can, entry);
      await can.changed(entry, []);
      return entry;
    }
    throw fail.trashSource({ path: item.original });
  } finally {
    await intent.end();
  }
}

/** Facts last, for the same reason. */
async function bringBack(
  tools: TrashTools,
  can: TrashCan,
  { trash_id, path }: TrashEntry,
  target: string,
): Promise<void> {
  await can.prepare();
  await tools.files.makeDirectory(dirname(target), { recursive: true });
  const intent = await beginIntent(tools, can);
  try {
    await intent.about(trash_id);
    await moveContent(tools, { from: path, to: target, workshop: dirname(target), isContested: true });
    await can.forget(trash_id);
    await can.changed(undefined, [trash_id]);
  } finally {
    await intent.end();
  }
}

async function moveOrForget(tools: TrashTools, can: TrashCan, entry: TrashEntry): Promise<void> {
  try {
    await moveContent(tools, { from: entry.original, to: entry.path, workshop: can.workshop, isContested: false });
  } catch (error) {
    if (!(await can.hasContent(entry.trash_id))) await can.forget(entry.trash_id);
    throw error;
  }
}

async function refuseOverlap({ files, folders }: TrashTools, original: string, trash_dir: string): Promise<void> {
  const item = join(await realPathOf(files, folders.cwd, dirname(original)), basename(original));
  const can = await realPathOf(files, folders.cwd, trash_dir);
  if (isWithin(item, can)) throw fail.trashOverlap({ path: original, trash_dir, why: 'the trash can lies in it' });
  if (isWithin(can, item))
    throw fail.trashOverlap({ path: original, trash_dir, why: 'it lies in the trash can already' });
}

/** There it would be content without facts, or stand in its own way. */
async function refuseInside({ files, folders }: TrashTools, target: string, trash_dir: string): Promise<void> {
  const can = await realPathOf(files, folders.cwd, trash_dir);
  if (isWithin(can, await realPathOf(files, folders.cwd, target)))
    throw fail.trashDestination({ path: target, trash_dir });
}

function oldestFirst(entries: readonly TrashEntry[]): TrashEntry[] {
  return entries.toSorted(
    (one, other) => one.trashed_at - other.trashed_at || (one.trash_id < other.trash_id ? -1 : 1),
  );
}
