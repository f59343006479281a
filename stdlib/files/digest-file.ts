import type { Digests } from '#runtime/kernel/ports.ts';
import type { Files } from '#schemas/types/host.ts';

import type { DigestName } from './digest-name.ts';

/** Larger pieces make nothing faster. */
const LARGEST_CHUNK = 16 * 1024 * 1024;

export interface DigestTools {
  readonly files: Files;
  readonly digests: Digests;
  readonly signal: AbortSignal;
}

/**
 * The digest of a file in lower-case hex, read in pieces of at most `chunkSize` bytes. A file that is written to
 * meanwhile fails.
 */
export async function digestFile(
  { files, signal }: DigestTools,
  path: string,
  { openssl }: DigestName,
  chunkSize = 1 << 20,
): Promise<string> {
  return files.digest(path, openssl, { chunk: Math.min(chunkSize, LARGEST_CHUNK), signal });
}
