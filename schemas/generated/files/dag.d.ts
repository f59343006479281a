// Generated from stdlib/files/jobs/dag/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

export interface Commands {
  /** Run a graph of actions, each one as soon as its dependencies have ended. */
  FA_execute_action_dag: {
    params: {
      /** Graph nodes. */
      nodes: Block
      /** Largest number of nodes at once. */
      max_workers: number
      /** Skip everything that depends on a failed node. */
      fail_fast: boolean
    }
    /** result, error text or skip text by node id */
    result: {
      [k: string]: unknown
    }
  }
}
