import * as fail from '#schemas/generated/failures.ts';
import type { Entry } from '#stdlib/files/backends/backend.ts';
import { patiently } from '#stdlib/files/backends/passing.ts';
import { requireRemotePath } from '#stdlib/files/backends/remote-path.ts';
import type { StoragePlace } from '#stdlib/files/backends/storage/port.ts';
import type { SizedEntry } from '#stdlib/files/backends/transfer/copy-file.ts';
import { digestNamed } from '#stdlib/files/digest-name.ts';

import { belowPlace, storedDigest, timeOf, unwatched, type StoredTools } from '#stdlib/files/backends/stored-files.ts';

import type { Selection } from './selection.ts';
import { leaving, stayingIn, takesEntry, type NamedEntry } from './stored-selection.ts';
import { parentOf } from './tree-plan.ts';

/** Milliseconds that two times may differ and still count as equal. */
const NEAR_MS = 2000;

/** Everything that a synchronization with storage is going to do. Names are ways from the roots, sorted. */
export interface StoredPlan {
  readonly copies: readonly { readonly name: string; readonly entry: SizedEntry }[];
  readonly skipped: readonly string[];
  /** Folders that the target lacks, those above first. */
  readonly folders: readonly string[];
  /** Files that only the target has. */
  readonly removals: readonly { readonly name: string; readonly path: string }[];
  /** Folders that only the target has, the deepest first. */
  readonly emptied: readonly { readonly name: string; readonly path: string }[];
  /** Links and files of the target that stand where a folder is to be. */
  readonly obstacles: readonly { readonly name: string; readonly path: string }[];
  /** Folders of the target that stand where a file is to be, behind all that is in them. */
  readonly room: readonly { readonly name: string; readonly path: string; readonly kind: Entry['kind'] }[];
  readonly errors: readonly (readonly [name: string, message: string])[];
  /** Files that the target holds now. */
  readonly held: number;
}

export interface StoredTrees {
  readonly from: StoragePlace;
  readonly to: StoragePlace;
}

export interface StoredRule {
  readonly compare: 'size_mtime' | 'checksum';
  readonly deletes: boolean;
  readonly selection: Selection;
}

/** Looks at both sides; nothing is changed. Fails where there is no source folder. */
export async function planStored(tools: StoredTools, { from, to }: StoredTrees, rule: StoredRule): Promise<StoredPlan> {
  const { selection } = rule;
  const enters = (folder: string): boolean => selection.takes(folder, true);
  const found = (await belowPlace(tools, from, { enters })).filter((each) => takesEntry(selection, each));
  const isWanted = ([name, { kind }]: NamedEntry): boolean => kind !== 'folder' || selection.takesWhole(name);
  const wanted = new Map(found.filter((each) => !leadsOut(each[0]) && isWanted(each)));
  const isInSource = new Set(found.map(([name]) => name));
  const { clock, signal } = tools;
  const isThere =
    !to.backend.can.folders || (await patiently(clock, signal, () => to.backend.stat(to.path, { signal })));
  const there = new Map(isThere ? await belowPlace(tools, to, { enters }) : []);
  const staying = stayingIn([...there], selection);
  const { folders: hasFolders } = to.backend.can;
  const blocking = new Set(hasFolders ? blockingIn(there, foldersOf(wanted), staying) : []);
  for (const name of wanted.keys()) if (isBelow(name, blocking)) wanted.delete(name);
  const folders = foldersOf(wanted);
  const copies: { readonly name: string; readonly entry: SizedEntry }[] = [];
  const skipped: string[] = [];
  const inTheWay = new Set<string>();
  const errors: (readonly [string, string])[] = found
    .filter(([name]) => leadsOut(name))
    .map(([name]) => [name, fail.storagePath({ path: name, reason: '".." is not allowed' }).message]);
  for (const name of blocking) errors.push([name, fail.notAFolder({ path: there.get(name)?.path ?? name }).message]);
  for (const [name, entry] of wanted) {
    tools.signal.throwIfAborted();
    if (entry.kind === 'folder') continue;
    const isInTheWay = rule.deletes && hasFolders && there.get(name)?.kind === 'folder' && !staying.has(name);
    if (isInTheWay) inTheWay.add(name);
    const problem = problemOf(name, entry, isInTheWay ? undefined : there.get(name));
    if (problem) errors.push([name, problem.message]);
    else if (!isSized(entry)) continue;
    else if (await isUnchanged(tools, { from, to }, [entry, there.get(name)], rule)) skipped.push(name);
    else copies.push({ name, entry: await timed(tools, { from, to }, entry) });
  }
  const takesRoom = ([name]: NamedEntry): boolean => isBelow(name, inTheWay);
  const isExtra = (each: NamedEntry): boolean =>
    rule.deletes &&
    !isInSource.has(each[0]) &&
    !folders.has(each[0]) &&
    !takesRoom(each) &&
    takesEntry(selection, each);
  const extras = leaving([...there].filter(isExtra), staying, selection).map(([name, { kind, path }]) => ({
    name,
    path,
    kind,
  }));
  const missing = hasFolders ? [...folders].filter((name) => there.get(name)?.kind !== 'folder').sort() : [];
  return {
    copies,
    skipped,
    folders: missing,
    obstacles: missing.flatMap((name) => (there.has(name) ? { name, path: there.get(name)?.path ?? '' } : [])),
    room: [...there]
      .filter(takesRoom)
      .map(([name, { kind, path }]) => ({ name, path, kind }))
      .toReversed(),
    removals: extras.filter(({ kind }) => kind !== 'folder'),
    emptied: hasFolders ? extras.filter(({ kind }) => kind === 'folder').toReversed() : [],
    errors,
    held: [...there].filter((each) => each[1].kind !== 'folder' && takesEntry(selection, each)).length,
  };
}

/** An entry with its time, where listings have none and the target would keep it: the next run compares both. */
async function timed(tools: StoredTools, { from, to }: StoredTrees, entry: SizedEntry): Promise<SizedEntry> {
  const mtime_ms = to.backend.can.times === false ? undefined : await timeOf(tools, from, entry);
  return mtime_ms === undefined ? entry : { ...entry, mtime_ms };
}

/** Reason that an entry cannot be copied. */
function problemOf(name: string, entry: Entry, there: Entry | undefined): Error | undefined {
  try {
    requireRemotePath(name);
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  const { path } = entry;
  if (!isSized(entry)) return fail.storagePath({ path, reason: 'it is neither a file nor a folder' });
  return there?.kind === 'folder' ? fail.storageIsFolder({ place: 'the target', path: there.path }) : undefined;
}

/**
 * Whether the target has a file already. Where a service sets times itself, one that was written after the source is
 * taken for a copy of it.
 */
async function isUnchanged(
  tools: StoredTools,
  { from, to }: StoredTrees,
  [source, there]: readonly [SizedEntry, Entry | undefined],
  { compare }: StoredRule,
): Promise<boolean> {
  if (!isSized(there) || there.size !== source.size) return false;
  if (compare === 'checksum') return await isSameContent(tools, { from, to }, [source, there]);
  const [old, young] = [await timeOf(tools, from, source), await timeOf(tools, to, there)];
  if (old === undefined || young === undefined) return true;
  const later = young - old;
  return to.backend.can.times === false ? later >= -NEAR_MS : Math.abs(later) <= NEAR_MS;
}

async function isSameContent(
  { clock, digests, signal }: StoredTools,
  { from, to }: StoredTrees,
  [source, there]: readonly [SizedEntry, SizedEntry],
): Promise<boolean> {
  const told = [to.backend.can.digest, from.backend.can.digest].find((each) => each !== undefined && isCommon(each));
  const digest = digestNamed(told ?? 'sha256');
  const tools = { clock, digests, transfer: unwatched(signal) };
  return (await storedDigest(tools, from, source, { digest })) === (await storedDigest(tools, to, there, { digest }));
}

/** Services have digests of their own, too. */
function isCommon(algorithm: string): boolean {
  return ['md5', 'sha1', 'sha256'].includes(algorithm);
}

/** Every folder that the source has, also where only the names of its files tell. */
function foldersOf(wanted: ReadonlyMap<string, Entry>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const [name, { kind }] of wanted) {
    if (kind === 'folder') folders.add(name);
    for (let slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1))
      folders.add(name.slice(0, slash));
  }
  return folders;
}

/** Folders in whose place the target has something else that is to stay. */
function blockingIn(
  there: ReadonlyMap<string, Entry>,
  folders: ReadonlySet<string>,
  staying: ReadonlySet<string>,
): readonly string[] {
  return [...folders].filter((name) => staying.has(name) && there.get(name)?.kind !== 'folder');
}

/** Whether a name is that of one of the folders, or of something in it. */
function isBelow(name: string, folders: ReadonlySet<string>): boolean {
  for (let at = name; at !== ''; at = parentOf(at)) if (folders.has(at)) return true;
  return false;
}

/** The other side chooses names: with either separator, as archives are read. */
function leadsOut(name: string): boolean {
  return name.split(/[\\/]/).includes('..');
}

function isSized(entry: Entry | undefined): entry is SizedEntry {
  return entry?.kind === 'file' && entry.size !== undefined;
}
