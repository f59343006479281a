import type { KeptLists } from './kept-lists.ts';

/** Rules for lists while they are compiled. */
export interface ListRules {
  /** Names of functions of the program around, which lists may call. */
  readonly functions?: ReadonlySet<string>;
  /** A list that names another command anywhere is refused with `ActionNotPermittedException`. All by default. */
  readonly allows?: (command: string) => boolean;
  /**
   * Lists that were compiled before, for whoever is sent the same ones again and again. Not for lists that call
   * `functions`.
   */
  readonly kept?: KeptLists;
}
