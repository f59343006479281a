import { secretsOf } from '#runtime/kernel/secret-environment.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import type { Host } from '#schemas/types/host.ts';

import { KeptLists } from './kept-lists.ts';
import { ListThreads } from './list-threads.ts';

/** State that the many short units of one caller share, found out once. */
export interface CommonOfUnits {
  readonly lists: KeptLists;
  readonly threads: ListThreads;
  /** Values of the environment that are secret because of their keys. */
  readonly environmentSecrets: readonly string[];
}

export function commonOfUnits({ env }: Pick<Host, 'env'>, settings: Partial<Settings>): CommonOfUnits {
  return { lists: new KeptLists(), threads: new ListThreads(), environmentSecrets: secretsOf(env, settings) };
}
