import { secretsOf } from '#runtime/kernel/secret-environment.ts';
import type { Settings } from '#runtime/kernel/ports.ts';
import type { Host } from '#schemas/types/host.ts';

import { KeptLists } from './kept-lists.ts';

/** State that the many short units of one caller share, found out once. */
export interface CommonOfUnits {
  readonly lists: KeptLists;
  /** Values of the environment that are secret because of their keys. */
  readonly environmentSecrets: readonly string[];
}

export function commonOfUnits({ env }: Pick<Host, 'env'>, settings: Partial<Settings>): CommonOfUnits {
  return { lists: new KeptLists(), environmentSecrets: secretsOf(env, settings) };
}
