import type { DigestTools } from '#stdlib/files/digest-file.ts';
import type { DigestName } from '#stdlib/files/digest-name.ts';
import { hasCode } from '#stdlib/files/has-code.ts';
import { inParallel } from '#stdlib/files/in-parallel.ts';
import { isOutOfReach } from '#stdlib/files/walk.ts';

/** Files of one size that have not been told apart; sorted. */
export interface Group {
  readonly size: number;
  readonly paths: readonly string[];
}

/** Parts groups by the digest of the files' first bytes, or of all of them; what is left alone is dropped. */
export async function byDigest(
  tools: DigestTools,
  groups: readonly Group[],
  digest: DigestName,
  length: number | undefined,
): Promise<readonly Group[]> {
  const parts = groups.map(() => new Map<string, string[]>());
  const all = groups.flatMap(({ paths }, group) => paths.map((path) => ({ path, group })));
  await inParallel(all, async ({ path, group }) => {
    tools.signal.throwIfAborted();
    const found = await digestOf(tools, path, digest, length);
    if (found === undefined) return;
    const part = parts[group];
    const same = part?.get(found);
    if (same === undefined) part?.set(found, [path]);
    else same.push(path);
  });
  return groups.flatMap(({ size }, group) =>
    [...(parts[group]?.values() ?? [])]
      .filter((paths) => paths.length > 1)
      .map((paths) => ({ size, paths: paths.sort() })),
  );
}

/** Undefined for a file that may not be read, has gone, or is written to meanwhile. */
async function digestOf(
  { files, signal }: DigestTools,
  path: string,
  { openssl }: DigestName,
  end: number | undefined,
): Promise<string | undefined> {
  try {
    return await files.digest(path, openssl, { signal, ...(end !== undefined && { end }) });
  } catch (error) {
    if (isOutOfReach(error) || hasCode(error, 'ECHANGED')) return undefined;
    throw error;
  }
}
