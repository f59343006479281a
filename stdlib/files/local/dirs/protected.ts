import { dirname } from 'node:path';

import * as fail from '#schemas/generated/failures.ts';
import type { Files } from '#schemas/types/host.ts';
import { isWithin } from '#stdlib/files/real-path.ts';

/** Fails for the root of a file system and for a folder that is, or holds, one of those that must stay. */
export async function refuseProtected(files: Files, path: string, keep: readonly string[]): Promise<void> {
  const real = await files.realPath(path);
  if (dirname(real) === real) throw fail.protectedFolder({ path });
  for (const folder of keep) {
    const kept = (await files.find(folder)) === undefined ? folder : await files.realPath(folder);
    if (isWithin(real, kept)) throw fail.protectedFolder({ path });
  }
}
