import type { Base, Ports } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import { localBackend } from '#stdlib/files/backends/near/local.ts';
import { patiently } from '#stdlib/files/backends/passing.ts';
import { joinRemote } from '#stdlib/files/backends/remote-path.ts';
import type { StoragePlace } from '#stdlib/files/backends/storage/port.ts';
import { copyTree } from '#stdlib/files/backends/transfer/copy-tree.ts';

import { planStored, type StoredPlan, type StoredRule, type StoredTrees } from './plan-stored.ts';
import { placeOf } from '#stdlib/files/backends/stored-files.ts';

type SyncTools = Pick<Base, 'signal' | 'folders' | 'durable'> &
  Pick<Ports, 'files' | 'storage' | 'clock' | 'digests' | 'random' | 'progress' | 'uploads'>;

export interface SyncElsewhere extends StoredRule {
  readonly src: string;
  readonly dst: string;
  readonly maxDelete: number | null;
}

/** Facts about a synchronization, as its result tells them. */
export interface StoredSync {
  readonly copied: readonly string[];
  readonly skipped: readonly string[];
  readonly deleted: readonly string[];
  readonly folders_made: readonly string[];
  readonly folders_removed: readonly string[];
  readonly errors: readonly (readonly [string, string])[];
}

/** Tells what a synchronization would do; it may be more than it is allowed to delete. */
export async function previewStored(tools: SyncTools, wanted: SyncElsewhere): Promise<StoredSync> {
  const { plan } = await planned(tools, wanted);
  return intended(plan);
}

/** Fails where more would be deleted than may be. */
export function refuseTooMany(count: number, held: number, { dst, maxDelete }: SyncElsewhere): void {
  const limit = maxDelete ?? Math.floor(held / 2);
  if (count > limit) throw fail.syncDeletesTooMuch({ count, total: held, path: dst, limit });
}

/**
 * Makes one tree like the other, where at least one of them is in storage; copies first, deletes when all copies are
 * there.
 */
export async function syncStored(tools: SyncTools, wanted: SyncElsewhere, name: string | null): Promise<StoredSync> {
  const { plan, from, to } = await planned(tools, wanted);
  refuseTooMany(intended(plan).deleted.length, plan.held, wanted);
  const { clock, digests, random, progress, signal, uploads } = tools;
  const total = plan.copies.reduce((sum, { entry }) => sum + entry.size, 0);
  return await progress.watch({ name, total, signal }, async (transfer) => {
    const tooled = { clock, signal: transfer.signal };
    const errors = [...plan.errors];
    const { copies: files, folders, gone } = await cleared(tooled, to, plan, errors);
    const { deleted: before, folders_removed: emptied } = roomOf(plan.room.filter(({ name: each }) => gone.has(each)));
    const work = { files, folders, extras: [], held: 0 };
    const { copied, failed } = await copyTree({ clock, digests, random, transfer, uploads }, from, to, work);
    errors.push(...failed.map(({ name: file, error }) => [file, error.message] as const));
    const done = { ...intended(plan), copied, errors };
    // A copy that is missing may be the only one there is.
    if (errors.length > 0) return { ...done, deleted: before, folders_removed: emptied };
    const deleted = [...before, ...(await removed(tooled, to, plan.removals, errors))].toSorted();
    const folders_removed = [...emptied, ...(await removed(tooled, to, plan.emptied, errors))];
    return { ...done, deleted, folders_removed, errors };
  });
}

/**
 * Removes what stands where folders or files are to be. Yields what is gone, and the plan less what lies below
 * something that stays.
 */
async function cleared(
  tools: Pick<SyncTools, 'clock' | 'signal'>,
  to: StoragePlace,
  { obstacles, room, copies, folders }: StoredPlan,
  errors: (readonly [string, string])[],
): Promise<Pick<StoredPlan, 'copies' | 'folders'> & { readonly gone: ReadonlySet<string> }> {
  const all = [...obstacles, ...room];
  const gone = new Set(await removed(tools, to, all, errors));
  const stuck = all.filter(({ name }) => !gone.has(name)).map(({ name }) => `${name}/`);
  const isFree = (name: string): boolean => !stuck.some((folder) => `${name}/`.startsWith(folder));
  return { copies: copies.filter(({ name }) => isFree(name)), folders: folders.filter(isFree), gone };
}

/** Files and folders of those that make room. */
function roomOf(room: StoredPlan['room']): Pick<StoredSync, 'deleted' | 'folders_removed'> {
  const names = (isFolder: boolean): string[] =>
    room.filter(({ kind }) => (kind === 'folder') === isFolder).map(({ name }) => name);
  return { deleted: names(false), folders_removed: names(true) };
}

async function removed(
  { clock, signal }: Pick<SyncTools, 'clock' | 'signal'>,
  { backend }: StoragePlace,
  entries: StoredPlan['removals'],
  errors: (readonly [string, string])[],
): Promise<readonly string[]> {
  const gone: string[] = [];
  for (const { name, path } of entries) {
    try {
      await patiently(clock, signal, () => backend.remove(path, { signal }));
      gone.push(name);
    } catch (error) {
      signal.throwIfAborted();
      errors.push([name, error instanceof Error ? error.message : String(error)]);
    }
  }
  return gone;
}

function intended(plan: StoredPlan): StoredSync {
  const names = (entries: readonly { readonly name: string }[]): string[] => entries.map(({ name }) => name);
  return {
    copied: names(plan.copies),
    skipped: plan.skipped,
    deleted: [...roomOf(plan.room).deleted, ...names(plan.removals)].toSorted(),
    folders_made: plan.folders,
    folders_removed: [...roomOf(plan.room).folders_removed, ...names(plan.emptied)],
    errors: plan.errors,
  };
}

async function planned(
  tools: SyncTools,
  { src, dst, ...rule }: SyncElsewhere,
): Promise<StoredTrees & { readonly plan: StoredPlan }> {
  const from = folderAt(await placeOf(tools, src));
  const to = withOwnLinks(tools, folderAt(await placeOf(tools, dst)));
  const [one, other] = [wayOf(from), wayOf(to)];
  if (from.backend === to.backend && (one.startsWith(other) || other.startsWith(one)))
    throw fail.syncTreesOverlap({ source: src, target: dst });
  return { from, to, plan: await planStored(tools, { from, to }, rule) };
}

/** Path with a slash behind each name. One at its beginning counts only where paths begin at a folder of the user. */
function wayOf({ backend, path }: StoragePlace): string {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  const start = path.startsWith('/') && ['sftp', 'ftp'].includes(backend.scheme) ? '/' : '';
  return start + names.map((name) => `${name}/`).join('');
}

/** Nothing is written through a link below a target of this machine. */
function withOwnLinks({ files, folders, durable }: SyncTools, place: StoragePlace): StoragePlace {
  if (place.backend.scheme !== 'local') return place;
  return { ...place, backend: localBackend(files, { cwd: folders.cwd, durable, ownLinks: true }) };
}

/** Place of a folder, without the slash at its end. */
function folderAt(place: StoragePlace): StoragePlace {
  return { ...place, path: joinRemote(place.path, '') };
}
