import type { Host } from '#schemas/types/host.ts';

import { bulk } from './node/bulk.ts';
import { filesFrom } from './node/files-from.ts';
import type { HostPlace } from './node/host-parts.ts';
import { hostWith } from './node/host-with.ts';
import { makeMatch } from './node/match.ts';
import { makeProcesses } from './node/programs/processes.ts';
import { trees } from './node/trees.ts';

/**
 * The real host, whole: this process and the machine that it runs on; its folder and environment, unless others are
 * given.
 */
export function nodeHost(given: HostPlace = {}): Host {
  return hostWith({ bulk, trees, match: makeMatch, processes: makeProcesses }, given, filesFrom);
}
