// Generated from stdlib/files/jobs/watch/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
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
      /** Names that count, such as `*.csv`, without folders; all when left out. */
      pattern: (string | ReadonlyArray<string> | null)
      /** Seconds for which a file must keep size and time before it is told of. */
      settle: number
      /** Milliseconds for which changes are collected before the list runs. */
      debounce_ms: number
      /** Run the list once for each changed path, instead of once for all; when left out, for each where the list asks for `${event.…}`. */
      each: (boolean | null)
    }
    /** snapshot of the watcher */
    result: {
      name: string
      /** absolute, links resolved */
      path: string
      events: ReadonlyArray<"created" | "deleted" | "modified" | "moved">
      recursive: boolean
      /** false once it was stopped */
      running: boolean
      /** how many the list has */
      actions: number
      /** how often the list was run */
      runs: number
      /** how the last run ended, with one entry per action as of `FA_execute_action`; null before */
      last_result: {
        ok: boolean
        ended_at: string
        /** what failed, one line a step */
        error?: string
        results: {
          [k: string]: unknown
        }
      } | null
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
      /** absolute, links resolved */
      path: string
      events: ReadonlyArray<"created" | "deleted" | "modified" | "moved">
      recursive: boolean
      /** false once it was stopped */
      running: boolean
      /** how many the list has */
      actions: number
      /** how often the list was run */
      runs: number
      /** how the last run ended, with one entry per action as of `FA_execute_action`; null before */
      last_result: {
        ok: boolean
        ended_at: string
        /** what failed, one line a step */
        error?: string
        results: {
          [k: string]: unknown
        }
      } | null
    }
  }
  /** Stop and forget all watchers. */
  FA_watch_stop_all: {
    params: {}
    /** last snapshots */
    result: ReadonlyArray<{
      name: string
      /** absolute, links resolved */
      path: string
      events: ReadonlyArray<"created" | "deleted" | "modified" | "moved">
      recursive: boolean
      /** false once it was stopped */
      running: boolean
      /** how many the list has */
      actions: number
      /** how often the list was run */
      runs: number
      /** how the last run ended, with one entry per action as of `FA_execute_action`; null before */
      last_result: {
        ok: boolean
        ended_at: string
        /** what failed, one line a step */
        error?: string
        results: {
          [k: string]: unknown
        }
      } | null
    }>
  }
  /** List the watchers. */
  FA_watch_list: {
    params: {}
    /** snapshots */
    result: ReadonlyArray<{
      name: string
      /** absolute, links resolved */
      path: string
      events: ReadonlyArray<"created" | "deleted" | "modified" | "moved">
      recursive: boolean
      /** false once it was stopped */
      running: boolean
      /** how many the list has */
      actions: number
      /** how often the list was run */
      runs: number
      /** how the last run ended, with one entry per action as of `FA_execute_action`; null before */
      last_result: {
        ok: boolean
        ended_at: string
        /** what failed, one line a step */
        error?: string
        results: {
          [k: string]: unknown
        }
      } | null
    }>
  }
}
