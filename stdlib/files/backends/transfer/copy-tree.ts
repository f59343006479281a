import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import { inParallel } from '#stdlib/files/in-parallel.ts';

import type { Backend, Entry } from '../backend.ts';
import { isPassing, patiently } from '../passing.ts';
import { joinRemote, requireRemotePath } from '../remote-path.ts';
import { copySeen, type SizedEntry } from './copy-file.ts';
import type { CopyOptions, Place, TransferTools } from './job.ts';

/** Plan of a copied folder: everything is looked at before the first change. */
export interface TreePlan {
  /** Relative to the source, sorted. */
  readonly files: readonly { readonly name: string; readonly entry: SizedEntry }[];
  /** Relative, those above first; empty where the target knows no folders. */
  readonly folders: readonly string[];
  /** Entries that only the target has, as paths over there. */
  readonly extras: readonly Entry[];
  /** Files that the target holds now; only counted where something may be deleted. */
  readonly held: number;
}

export interface TreeOptions extends CopyOptions {
  /** Deletes files that only the target has. */
  readonly deletes?: boolean;
  readonly maxDelete?: number | null;
  /** Files at once. */
  readonly workers?: number;
}

/** Tools that a plan needs. */
export type PlanTools = Pick<TransferTools, 'clock' | 'digests'> & {
  readonly transfer: { readonly signal: AbortSignal };
};

/**
 * Looks at both sides. Fails where more would be deleted than may be. With `resume` files are left out that the target
 * has already.
 */
export async function planTree(
  tools: PlanTools,
  from: Place,
  to: Place,
  { deletes = false, maxDelete = null, resume = false }: TreeOptions,
): Promise<TreePlan> {
  const { clock, transfer } = tools;
  const { signal } = transfer;
  const found = await patiently(clock, signal, () => below(from, signal));
  const all = [...found]
    .flatMap(([name, entry]) => (isSized(entry) ? [{ name, entry }] : []))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  for (const { name } of all) requireRemotePath(name);
  const there: ReadonlyMap<string, Entry> =
    deletes || resume ? await patiently(clock, signal, () => belowOrNothing(to, signal)) : new Map();
  const files = resume ? await notYetThere(tools, all, { from, to, there }) : all;
  const folders = to.backend.can.folders ? foldersOf(files.map(({ name }) => name)) : [];
  if (!deletes) return { files, folders, extras: [], held: 0 };
  const held = [...there].filter(([, { kind }]) => kind !== 'folder');
  const extras = held.filter(([name]) => !isSized(found.get(name))).map(([, entry]) => entry);
  const limit = maxDelete ?? Math.floor(held.length / 2);
  if (extras.length > limit)
    throw fail.storageDeletesTooMuch({ count: extras.length, total: held.length, path: to.path, limit });
  return { files, folders, extras, held: held.length };
}

type Named = TreePlan['files'][number];

interface Sides {
  readonly from: Pick<Place, 'backend'>;
  readonly to: Pick<Place, 'backend'>;
  /** Entries of the target, by their way from it. */
  readonly there: ReadonlyMap<string, Entry>;
}

/** Files that the target does not have, or has with another content. */
export async function notYetThere(tools: PlanTools, files: readonly Named[], sides: Sides): Promise<readonly Named[]> {
  const found = new Set<Named>();
  const look = async (file: Named): Promise<void> => {
    const other = sides.there.get(file.name);
    const isThere = isSized(other) && other.size === file.entry.size && (await isSame(tools, file.entry, other, sides));
    if (!isThere) found.add(file);
  };
  await inParallel(files, look, 4);
  return files.filter((file) => found.has(file));
}

/** Whether two files of one size are the same, as far as the target tells: by digest, by time, or by being no older. */
async function isSame(tools: PlanTools, entry: SizedEntry, other: Entry, { from, to }: Sides): Promise<boolean> {
  const { digest: algorithm, times } = to.backend.can;
  if (other.digest !== undefined && algorithm !== undefined && tools.digests.names.includes(algorithm))
    return (await digestOf(tools, algorithm, { backend: from.backend, path: entry.path })) === other.digest;
  const time = other.mtime_ms ?? (await timeOf(tools, to.backend, other.path));
  if (entry.mtime_ms === undefined || time === undefined) return false;
  // The times of services are mostly whole seconds.
  if (times === false) return time >= Math.floor(entry.mtime_ms / 1000) * 1000;
  return Math.abs(time - entry.mtime_ms) <= times;
}

/** Time of one file; listings of some servers have none. */
async function timeOf({ clock, transfer }: PlanTools, backend: Backend, path: string): Promise<number | undefined> {
  const { signal } = transfer;
  return (await patiently(clock, signal, () => backend.stat(path, { signal })))?.mtime_ms;
}

async function digestOf({ digests, transfer }: PlanTools, algorithm: string, from: Place): Promise<string> {
  const digest = digests.open(algorithm);
  const reading = await from.backend.read(from.path, { signal: transfer.signal });
  try {
    for await (const piece of reading.body) digest.update(piece);
  } finally {
    reading.close();
  }
  return digest.hex();
}

export interface TreeDone {
  /** Relative names, sorted. */
  readonly copied: readonly string[];
  readonly failed: readonly { readonly name: string; readonly error: Error }[];
}

/** So many files in a row that a service was not there for, each tried as often as may be: the rest is not tried. */
const BREAKS_AFTER = 5;

/**
 * Copies what was planned, several files at once; a file that fails leaves the others alone, unless the service is not
 * there at all.
 */
export async function copyTree(
  tools: TransferTools,
  from: Place,
  to: Place,
  plan: TreePlan,
  options: TreeOptions = {},
): Promise<TreeDone> {
  const { transfer, clock } = tools;
  const { signal } = transfer;
  const copied: string[] = [];
  const failed: { readonly name: string; readonly error: Error }[] = [];
  const { backend } = to;
  // Elsewhere nothing could go on with a part: it would only be left there.
  const resume = options.resume === true && (backend.can.append || backend.can.resumes !== undefined);
  if (backend.can.folders && to.path !== '')
    await patiently(clock, signal, () => backend.makeFolder(to.path, { signal }));
  const makeFolder = (name: string): Promise<void> =>
    patiently(clock, signal, () => backend.makeFolder(joinRemote(to.path, name), { signal }));
  // Those of one depth at once: what is above them stands by then.
  for (const names of byDepth(plan.folders)) await inParallel(names, makeFolder, options.workers ?? 4);
  let next = 0;
  let missed = 0;
  const work = async (): Promise<void> => {
    for (let item = plan.files[next++]; item !== undefined; item = plan.files[next++]) {
      const { name, entry } = item;
      const job = {
        from: { backend: from.backend, path: entry.path },
        source: entry,
        to: { backend, path: joinRemote(to.path, name) },
      };
      try {
        if (missed >= BREAKS_AFTER) throw notTried(failed.at(-1)?.error, backend);
        await copySeen(tools, job, { ...options, resume });
        copied.push(name);
        missed = 0;
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof Error)) throw error;
        if (missed < BREAKS_AFTER) missed = isPassing(error) ? missed + 1 : 0;
        failed.push({ name, error });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.workers ?? 4, plan.files.length) }, work));
  if (failed.length === 0)
    for (const { path } of plan.extras) await patiently(clock, signal, () => removeIfThere(backend, path, signal));
  return { copied: copied.sort(), failed: failed.sort((one, other) => (one.name < other.name ? -1 : 1)) };
}

function notTried(cause: Error | undefined, { place }: Backend): Failure {
  return fail.storageUnavailable({
    place,
    reason: `not tried: ${BREAKS_AFTER} files in a row could not be moved`,
    cause,
  });
}

/** Fails with the words of the first file that failed; what was sent is the step's result. */
export function requireAll({ copied, failed }: TreeDone, total: number): void {
  const [first] = failed;
  if (!first) return;
  const about = { failed: failed.length, total, first: `${first.name}: ${first.error.message}` };
  throw fail.storageFilesFailed({ ...about, result: copied, cause: first.error });
}

async function removeIfThere(backend: Backend, path: string, signal: AbortSignal): Promise<void> {
  try {
    await backend.remove(path, { signal });
  } catch (error) {
    if (!(error instanceof Failure) || error.facts.name !== 'storage-not-found') throw error;
  }
}

/** Everything below a folder, by its way from there. */
async function below({ backend, path }: Place, signal: AbortSignal): Promise<ReadonlyMap<string, Entry>> {
  const found = new Map<string, Entry>();
  const start = path === '' ? '' : `${path.replace(/\/+$/, '')}/`;
  for await (const page of backend.list(path, { signal, deep: true }))
    for (const entry of page) if (entry.path.startsWith(start)) found.set(entry.path.slice(start.length), entry);
  return found;
}

async function belowOrNothing(place: Place, signal: AbortSignal): Promise<ReadonlyMap<string, Entry>> {
  try {
    return await below(place, signal);
  } catch (error) {
    const isAbsent = error instanceof Failure ? error.facts.code === 'SVC88101' : codeOf(error) === 'ENOENT';
    if (isAbsent) return new Map();
    throw error;
  }
}

/** Code of an error of the system; local folders tell their absence by it. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Names of folders, those of each depth together, the highest first. */
function byDepth(names: readonly string[]): readonly (readonly string[])[] {
  const depths = Map.groupBy(names, (name) => name.split('/').length);
  return [...depths].sort(([one], [other]) => one - other).map(([, each]) => each);
}

function isSized(entry: Entry | undefined): entry is SizedEntry {
  return entry?.kind === 'file' && entry.size !== undefined;
}

/** Every folder on the way to a file, those above first. */
function foldersOf(names: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const name of names)
    for (let slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1))
      folders.add(name.slice(0, slash));
  return [...folders].sort();
}
