import * as fail from '#schemas/generated/failures.ts';
import { Failure } from '#schemas/types/failure.ts';
import { asFailure } from '#runtime/kernel/as-failure.ts';
import type { StoragePlace } from '#stdlib/files/backends/storage/port.ts';
import type { Backup } from './retention.ts';
import { matchesGlob } from '#stdlib/files/glob.ts';

import { placeOf, storedFiles, timeOf, type StoredTools } from '#stdlib/files/backends/stored-files.ts';

/** A backup of storage; `path` is its address. */
export interface StoredBackup extends Backup {
  readonly over: string;
}

/**
 * Backups directly below an address, the newest first. Fails where the service does not say when a file was written.
 */
export async function backupsElsewhere(
  tools: StoredTools,
  address: string,
  pattern: string,
): Promise<readonly [StoragePlace, readonly StoredBackup[]]> {
  const place = await placeOf(tools, address);
  const files = await storedFiles(tools, place, { deep: false });
  const backups: StoredBackup[] = [];
  for (const { entry, address: path } of files) {
    if (!matchesGlob(entry.name, pattern)) continue;
    const mtime_ms = await timeOf(tools, place, entry);
    if (mtime_ms === undefined)
      throw fail.storageCannot({ place: place.backend.place, what: 'it does not tell when files were written' });
    backups.push({ path, over: entry.path, mtime_ms });
  }
  return [place, backups.sort((one, other) => other.mtime_ms - one.mtime_ms || (one.path < other.path ? 1 : -1))];
}

/** Deletes backups, the oldest first: what a run that ends too early leaves is the newest. */
export async function removeElsewhere(
  { backend }: StoragePlace,
  due: readonly StoredBackup[],
  signal: AbortSignal,
): Promise<{ deleted: string[]; errors: [string, string][] }> {
  const deleted: string[] = [];
  const errors: [string, string][] = [];
  for (const { path, over } of due.toReversed()) {
    signal.throwIfAborted();
    try {
      await backend.remove(over, { signal });
      deleted.unshift(path);
    } catch (error) {
      // Another rotation was first.
      if (error instanceof Failure && error.facts.name === 'storage-not-found') continue;
      errors.unshift([path, asFailure(error, 'FA_rotate_backups').message]);
    }
  }
  return { deleted, errors };
}
