// Generated from stdlib/api/core/runner/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
export interface Commands {
  /** Run actions at the same time with a bounded number of workers. */
  AT_run_actions_parallel: {
    params: {
      /** Actions to run. */
      actions: Block
      /** Largest number of actions at once. */
      max_workers: number
      /** Older programs gave a function here; the run itself runs the actions. */
      runner: null
    }
    /** result per position in the list, from 0, or the error text */
    result: {
      [k: string]: unknown
    }
  }
  /** Keep only the actions that carry one of the wanted tags. */
  AT_filter_actions_by_tag: {
    params: {
      /** Actions to filter. */
      actions: (ReadonlyArray<unknown> | {
        [k: string]: unknown
      } | string)
      /** Tags of which one is enough. */
      wanted_tags: ReadonlyArray<string>
      /** Keep actions without tags too. */
      include_untagged: boolean
    }
    /** the kept actions, in order, as they were written */
    result: ReadonlyArray<unknown>
  }
  /** Order actions so that each comes after the ones it depends on. */
  AT_order_actions: {
    params: {
      /** Actions to order. */
      actions: (ReadonlyArray<unknown> | {
        [k: string]: unknown
      } | string)
    }
    /** the actions in a runnable order, as they were written */
    result: ReadonlyArray<unknown>
  }
}
