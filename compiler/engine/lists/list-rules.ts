import type { ActionCheck } from '#runtime/kernel/ports.ts';
import type { Host } from '#schemas/types/host.ts';
import type { JsonObject } from '#schemas/types/json.ts';

import type { ListAround, ListsMade, ListWork } from './compile-list.ts';
import type { KeptLists } from './kept-lists.ts';

/** Compiles lists beside the event loop. Rejects with the signal's reason when it is aborted. */
export interface ListCompiler {
  /** As `compileLists` does. */
  compile(work: ListWork, host: Host, signal?: AbortSignal): Promise<ListsMade>;
  /** As `checkList` does. */
  check(content: string, around: ListAround, host: Host, signal?: AbortSignal): Promise<ActionCheck>;
}

/** Rules for lists while they are compiled. */
export interface ListRules {
  /** Names of functions of the program around, which lists may call. */
  readonly functions?: ReadonlySet<string>;
  /** A list that names another command anywhere is refused with `ActionNotPermittedException`. All by default. */
  readonly allows?: (command: string) => boolean;
  /** Looks at what a command is called with at last; where it rejects, the step fails and nothing has run. */
  readonly guard?: (command: string, args: JsonObject) => Promise<void>;
  /**
   * Lists that were compiled before, for whoever is sent the same ones again and again. Not for lists that call
   * `functions`.
   */
  readonly kept?: KeptLists;
  /** Compile large lists. */
  readonly threads?: ListCompiler;
}
