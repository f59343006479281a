// Generated from stdlib/files/jobs/watch/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

export interface Commands {
  /** Run an action list whenever something changes under a path. */
  FA_watch_start: {
    params: {
      /** Unique watcher name. */
      name: string
      /** File or folder to watch; must exist. */
      path: string
      /** Actions to run. */
      action_list: Block
      /** Event kinds; created and modified when left out. */
      events: (("created" | "modified" | "deleted" | "moved") | ReadonlyArray<"created" | "modified" | "deleted" | "moved"> | null)
      /** Also watch sub-folders. */
      recursive: boolean
    }
    /** snapshot of the watcher */
    result: {
      name: string
      path: string
      events: ReadonlyArray<"created" | "deleted" | "modified" | "moved">
      recursive: boolean
      running: boolean
      actions: number
    }
  }
  /** Stop and forget one watcher. */
  FA_watch_stop: {
    params: {
      /** Watcher name. */
      name: string
    }
    /** last snapshot, with running false */
    result: {
      name: string
      path: string
      events: ReadonlyArray<"created" | "deleted" | "modified" | "moved">
      recursive: boolean
      running: boolean
      actions: number
    }
  }
  /** Stop and forget all watchers. */
  FA_watch_stop_all: {
    params: {}
    /** last snapshots */
    result: ReadonlyArray<{
      name: string
      path: string
      events: ReadonlyArray<"created" | "deleted" | "modified" | "moved">
      recursive: boolean
      running: boolean
      actions: number
    }>
  }
  /** List the watchers. */
  FA_watch_list: {
    params: {}
    /** snapshots */
    result: ReadonlyArray<{
      name: string
      path: string
      events: ReadonlyArray<"created" | "deleted" | "modified" | "moved">
      recursive: boolean
      running: boolean
      actions: number
    }>
  }
}
