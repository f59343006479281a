import { addAll } from '#grammar/source/add-all.ts';
import type { DigestName } from '#stdlib/files/digest-name.ts';
import type { Comparison } from './compare-tree.ts';
import type { RecordedEntry } from './read-manifest.ts';
import type { Entry } from './record-tree.ts';

import {
  placeOf,
  storedDigest,
  storedFiles,
  unwatched,
  type StoredTools,
} from '#stdlib/files/backends/stored-files.ts';

/** Size and digest of every file below an address, by its way from there. */
export async function recordElsewhere(
  tools: StoredTools,
  address: string,
  digest: DigestName,
): Promise<Record<string, Entry>> {
  const place = await placeOf(tools, address);
  const recorded: [string, Entry][] = [];
  for (const { name, entry } of await storedFiles(tools, place)) {
    const checksum = await storedDigest({ ...tools, transfer: unwatched(tools.signal) }, place, entry, { digest });
    recorded.push([name, { size: entry.size, checksum }]);
  }
  return Object.fromEntries(recorded);
}

/**
 * Compares what stands below an address with what was recorded. A recorded link counts as modified: storage has none.
 */
export async function compareElsewhere(
  tools: StoredTools,
  address: string,
  digest: DigestName,
  recorded: Readonly<Record<string, RecordedEntry>>,
): Promise<Comparison> {
  const place = await placeOf(tools, address);
  const present = new Map((await storedFiles(tools, place)).map((file) => [file.name, file]));
  const result: Comparison = { matched: [], missing: [], modified: [], extra: [], ok: true };
  for (const name of Object.keys(recorded).sort()) {
    const { size, checksum, link } = recorded[name] ?? {};
    const entry = present.get(name)?.entry;
    present.delete(name);
    const isLike = entry !== undefined && link === undefined && (size === undefined || size === entry.size);
    const isSame =
      isLike &&
      checksum?.toLowerCase() ===
        (await storedDigest({ ...tools, transfer: unwatched(tools.signal) }, place, entry, { digest }));
    result[entry === undefined ? 'missing' : isSame ? 'matched' : 'modified'].push(name);
  }
  addAll(result.extra, present.keys());
  return { ...result, ok: result.missing.length === 0 && result.modified.length === 0 };
}
