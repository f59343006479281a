import type { Base, Ports } from '#runtime/kernel/ports.ts';
import type { Entry, ListOptions } from './backend.ts';
import { patiently } from './passing.ts';
import type { StoragePlace } from './storage/port.ts';
import { requireFile, type SizedEntry } from './transfer/copy-file.ts';
import { SourceStream, type SourceTools } from './transfer/source-stream.ts';
import type { DigestName } from '#stdlib/files/digest-name.ts';

/** Ports that reading files of storage takes. */
export type StoredTools = Pick<Base, 'signal'> & Pick<Ports, 'storage' | 'clock' | 'digests'>;

/** A file of storage with its address. */
export interface StoredFile {
  readonly entry: SizedEntry;
  /** Way from the folder that was listed. */
  readonly name: string;
  readonly address: string;
}

/** The place of an address, over the connection that is open. */
export function placeOf({ storage, signal }: StoredTools, address: string): Promise<StoragePlace> {
  return storage.open(address, {}, { signal });
}

/** The file at an address. Fails where there is none. */
export async function storedFile(tools: StoredTools, address: string): Promise<[StoragePlace, SizedEntry]> {
  const place = await placeOf(tools, address);
  return [place, await patiently(tools.clock, tools.signal, () => requireFile(place, tools.signal))];
}

/**
 * Everything below a folder, by its way from there, sorted; of folders that are not to be entered perhaps only
 * themselves. Fails where there is no such folder.
 */
export async function belowPlace(
  { clock, signal }: Pick<StoredTools, 'clock' | 'signal'>,
  { backend, path }: Pick<StoragePlace, 'backend' | 'path'>,
  { deep = true, enters }: Pick<ListOptions, 'deep' | 'enters'> = {},
): Promise<readonly (readonly [name: string, entry: Entry])[]> {
  const start = path === '' ? '' : `${path.replace(/\/+$/, '')}/`;
  const wanted = { signal, deep, enters: enters && ((folder: string) => enters(folder.slice(start.length))) };
  return await patiently(clock, signal, async () => {
    const found: [string, Entry][] = [];
    for await (const page of backend.list(path, wanted))
      for (const entry of page) if (entry.path.startsWith(start)) found.push([entry.path.slice(start.length), entry]);
    return found.sort(([one], [other]) => (one < other ? -1 : 1));
  });
}

/** The files below an address. */
export async function storedFiles(
  tools: StoredTools,
  place: StoragePlace,
  options: { readonly deep?: boolean } = {},
): Promise<readonly StoredFile[]> {
  return (await belowPlace(tools, place, options)).flatMap(([name, entry]) => {
    const { size } = entry;
    if (entry.kind !== 'file' || size === undefined) return [];
    return [{ entry: { ...entry, size }, name, address: place.prefix + entry.path }];
  });
}

/** Time (ms) of an entry, which some services tell only of single files. Undefined where none is told. */
export async function timeOf(
  { clock, signal }: Pick<StoredTools, 'clock' | 'signal'>,
  { backend }: Pick<StoragePlace, 'backend'>,
  { mtime_ms, path }: Entry,
): Promise<number | undefined> {
  return mtime_ms ?? (await patiently(clock, signal, () => backend.stat(path, { signal })))?.mtime_ms;
}

/**
 * The digest of a file of storage in lower-case hex: the one that the service tells, or that of its bytes, read in
 * constant memory; a connection that breaks off is made anew.
 */
export async function storedDigest(
  tools: Pick<StoredTools, 'clock' | 'digests'> & Pick<SourceTools, 'transfer'>,
  { backend }: Pick<StoragePlace, 'backend'>,
  entry: SizedEntry,
  { digest, end = entry.size }: StoredDigest,
): Promise<string> {
  const told = backend.can.digest === digest.openssl && end >= entry.size ? entry.digest : undefined;
  if (told !== undefined) {
    tools.transfer.update(entry.size);
    return told;
  }
  const open = tools.digests.open(digest.openssl);
  const source = new SourceStream(tools, { backend, path: entry.path }, entry);
  let rest = Math.min(end, entry.size);
  for await (const piece of source.bytes(0)) {
    open.update(piece.subarray(0, rest));
    rest -= Math.min(rest, piece.length);
    if (rest === 0 && end < entry.size) break;
  }
  return open.hex();
}

export interface StoredDigest {
  readonly digest: DigestName;
  /** Only so many bytes at its beginning. */
  readonly end?: number;
}

/** A transfer that nobody watches. */
export function unwatched(signal: AbortSignal): SourceTools['transfer'] {
  return { signal, update: () => undefined };
}
