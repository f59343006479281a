import { resolve } from 'node:path';

import { command } from '#stdlib/command.ts';
import { digestNamed } from '#stdlib/files/digest-name.ts';
import { isElsewhere } from '#grammar/storage-uri/is-elsewhere.ts';
import { requireFolder } from '#stdlib/files/kind.ts';

import { byContent, isHandy } from './by-content.ts';
import { candidates } from './candidates.ts';
import { byDigest, type Group } from './by-digest.ts';
import { duplicatesElsewhere } from './stored-duplicates.ts';

export const FA_find_duplicates = command(
  'FA_find_duplicates',
  async ({ root, min_size, sample_bytes, algorithm }, ctx) => {
    const digest = digestNamed(algorithm);
    if (!import.meta.withoutStorage && isElsewhere(root)) {
      return await duplicatesElsewhere(ctx, root, { minSize: min_size, sampleBytes: sample_bytes, digest });
    }
    const folder = resolve(ctx.folders.cwd, root);
    await requireFolder(ctx.files, folder);
    const sameSize = await candidates(ctx, folder, min_size);
    const handy = await byContent(
      ctx,
      sameSize.filter((group) => isHandy(group, sample_bytes)),
      sample_bytes,
    );
    const many = await byDigest(
      ctx,
      sameSize.filter((group) => !isHandy(group, sample_bytes)),
      digest,
      sample_bytes,
    );
    const sameStart = [...handy, ...many];
    // The start of a short file is all of it.
    const short = sameStart.filter(({ size }) => size <= sample_bytes);
    const long = await byDigest(
      ctx,
      sameStart.filter(({ size }) => size > sample_bytes),
      digest,
      undefined,
    );
    return [...short, ...long].sort(byRank).map(({ paths }) => [...paths]);
  },
);

/** The largest first, then by the first path. */
function byRank(one: Group, other: Group): number {
  if (one.size !== other.size) return other.size - one.size;
  return (one.paths[0] ?? '') < (other.paths[0] ?? '') ? -1 : 1;
}
