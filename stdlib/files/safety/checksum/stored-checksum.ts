import type { Ports } from '#runtime/kernel/ports.ts';
import type { DigestName } from '#stdlib/files/digest-name.ts';

import { storedDigest, storedFile, type StoredTools } from '#stdlib/files/backends/stored-files.ts';

/** The digest of the file at an address, watched under a name. */
export async function checksumElsewhere(
  tools: StoredTools & Pick<Ports, 'progress'>,
  address: string,
  digest: DigestName,
  name: string | null,
): Promise<string> {
  const { clock, digests, progress, signal } = tools;
  const [place, entry] = await storedFile(tools, address);
  return await progress.watch({ name, total: entry.size, signal }, (transfer) =>
    storedDigest({ clock, digests, transfer }, place, entry, { digest }),
  );
}
