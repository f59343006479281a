import type { Files } from '#schemas/types/host.ts';

import { bulk } from './bulk.ts';
import { coreFiles } from './files.ts';
import { trees } from './trees.ts';

/** The files of this machine, for those who need no more of a host. */
export const files: Files = { ...coreFiles, ...bulk, ...trees };
