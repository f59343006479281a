import { isAbsolute, join } from 'node:path';

import type { Ports } from '#runtime/kernel/ports.ts';

/**
 * Path of a report: a relative name stands below the folder that a launcher names by `SVC_ARTIFACT_DIR`, when
 * it does.
 */
export function artifactPath(name: string, { environment }: Pick<Ports, 'environment'>): string {
  const folder = environment.get('SVC_ARTIFACT_DIR') ?? '';
  return folder === '' || isAbsolute(name) ? name : join(folder, name);
}
