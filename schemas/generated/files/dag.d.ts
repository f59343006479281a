// Generated from stdlib/files/jobs/dag/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
export interface Commands {
  /** Run a graph of actions, each one as soon as its dependencies have ended. */
  FA_execute_action_dag: {
    params: {
      /** Graph nodes, each with `id`, `action` and, where it waits for others, `depends_on`. */
      nodes: Block
      /** Largest number of nodes at once. */
      max_workers: number
      /** Skip everything that depends on a failed node. */
      fail_fast: boolean
      /** Record what would run, run nothing. */
      dry_run: boolean
    }
    /** one entry per node, by its id, in the order of the list */
    result: {
      [k: string]: {
        index: number
        /** command name */
        action: string
        status: ("ok" | "error" | "skipped" | "dry_run")
        value?: unknown
        error?: {
          type: string
          message: string
        }
        /** why it was skipped: the nearest dependency that failed or was skipped */
        reason?: string
      }
    }
  }
}
