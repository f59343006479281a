import * as fail from '#schemas/generated/failures.ts';

import type { DownloadTools, Wanted } from './wanted.ts';

/** Fails where the file is not the one that was expected. */
export function verifyDigest({ transfer }: DownloadTools, { url, sha256 }: Wanted, actual: string): void {
  if (sha256 === undefined || actual === sha256) return;
  transfer.failsAs('checksum_failed');
  throw fail.downloadDigest({ url, expected: sha256, actual });
}
