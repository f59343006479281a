import type { Host } from '#schemas/types/host.ts';

import { confinedFiles, Confinement } from './confined-files.ts';
import { confinedPaths } from './confined-paths.ts';

/** Host of callers, and the guard of what commands are called with there. */
export interface ConfinedHost {
  readonly host: Host;
  readonly guard: ReturnType<typeof confinedPaths>;
}

/** A host whose files are reached below some folders alone; its owner still reaches all. */
export function confinedHost(host: Host, folders: readonly string[]): ConfinedHost {
  const confinement = new Confinement(host, folders);
  return {
    host: { ...host, files: confinedFiles(confinement, host.files), owner: host.owner ?? host.files },
    guard: confinedPaths(confinement),
  };
}
