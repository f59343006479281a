import * as fail from '#schemas/generated/failures.ts';
import { command, type Context } from '#stdlib/command.ts';
import { digestNamed, type DigestName } from '#stdlib/files/digest-name.ts';
import { isElsewhere } from '#grammar/storage-uri/is-elsewhere.ts';
import { requireFile } from '#stdlib/files/kind.ts';

import { digestWatched } from './digest-watched.ts';
import { checksumElsewhere } from './stored-checksum.ts';

export const FA_file_checksum = command(
  'FA_file_checksum',
  async ({ path, algorithm, chunk_size, progress_name }, ctx) => {
    const digest = digestNamed(algorithm);
    return await digestOf(ctx, path, digest, { chunk: chunk_size, name: progress_name });
  },
);

export const FA_verify_checksum = command(
  'FA_verify_checksum',
  async ({ path, expected, algorithm, chunk_size, progress_name }, ctx) => {
    const digest = digestNamed(algorithm);
    const digits = digest.length * 2;
    if (expected.length !== digits || !/^[0-9a-f]+$/i.test(expected))
      throw fail.digestMalformed({ expected, algorithm: digest.name, digits });
    const actual = await digestOf(ctx, path, digest, { chunk: chunk_size, name: progress_name });
    return isEqual(actual, expected.toLowerCase());
  },
);

async function digestOf(
  ctx: Context<'FA_file_checksum' | 'FA_verify_checksum'>,
  path: string,
  digest: DigestName,
  reading: { readonly chunk: number; readonly name: string | null },
): Promise<string> {
  if (!import.meta.withoutStorage && isElsewhere(path)) return await checksumElsewhere(ctx, path, digest, reading.name);
  await requireFile(ctx.files, path);
  return await digestWatched(ctx, path, digest, reading);
}

/** Takes the same time wherever two texts of one length differ. */
function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
