import type { StoragePlace } from '#stdlib/files/backends/storage/port.ts';
import type { DigestName } from '#stdlib/files/digest-name.ts';
import { inParallel } from '#stdlib/files/in-parallel.ts';

import {
  placeOf,
  storedDigest,
  storedFiles,
  unwatched,
  type StoredFile,
  type StoredTools,
} from '#stdlib/files/backends/stored-files.ts';

export interface DuplicatesElsewhere {
  readonly minSize: number;
  readonly sampleBytes: number;
  readonly digest: DigestName;
}

/**
 * Groups of files below an address with the same content: by size, by their beginnings, by all of them. The largest
 * first.
 */
export async function duplicatesElsewhere(
  tools: StoredTools,
  address: string,
  { minSize, sampleBytes, digest }: DuplicatesElsewhere,
): Promise<string[][]> {
  const place = await placeOf(tools, address);
  const files = (await storedFiles(tools, place)).filter(({ entry }) => entry.size >= minSize);
  let groups = parted(
    files,
    files.map(({ entry }) => String(entry.size)),
  );
  // A digest that the service tells costs nothing; without ranges a beginning costs as much as the whole.
  const isSampled = place.backend.can.digest !== digest.openssl && place.backend.can.ranges;
  if (isSampled) groups = await byDigest(tools, place, groups, { digest, end: sampleBytes });
  // The start of a short file is all of it: it is not fetched once more.
  const isDone = ([file]: Group): boolean => isSampled && file !== undefined && file.entry.size <= sampleBytes;
  const long = groups.filter((group) => !isDone(group));
  return [...groups.filter(isDone), ...(await byDigest(tools, place, long, { digest }))]
    .toSorted(([one], [other]) => (other?.entry.size ?? 0) - (one?.entry.size ?? 0) || byAddress(one, other))
    .map((group) => group.map((file) => file.address));
}

type Group = readonly StoredFile[];

async function byDigest(
  { clock, digests, signal }: StoredTools,
  place: StoragePlace,
  groups: readonly Group[],
  wanted: { readonly digest: DigestName; readonly end?: number },
): Promise<readonly Group[]> {
  const all = groups.flat();
  const found = new Map<StoredFile, string>();
  const tools = { clock, digests, transfer: unwatched(signal) };
  await inParallel(all, async (file) => {
    found.set(file, await storedDigest(tools, place, file.entry, wanted));
  });
  return groups.flatMap((group) =>
    parted(
      group,
      group.map((file) => found.get(file) ?? ''),
    ),
  );
}

/** Parts files by a word of each; what is left alone is dropped. */
function parted(files: readonly StoredFile[], words: readonly string[]): readonly Group[] {
  const parts = Map.groupBy(files.keys(), (index) => words[index]);
  return [...parts.values()]
    .filter((part) => part.length > 1)
    .map((part) => part.flatMap((index) => files[index] ?? []).toSorted(byAddress));
}

function byAddress(one: StoredFile | undefined, other: StoredFile | undefined): number {
  return (one?.address ?? '') < (other?.address ?? '') ? -1 : 1;
}
