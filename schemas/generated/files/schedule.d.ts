// Generated from stdlib/files/jobs/schedule/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
export interface Commands {
  /** Run an action list at cron times. */
  FA_schedule_add: {
    params: {
      /** Unique job name. */
      name: string
      /** Five cron fields, local time. */
      cron_expression: string
      /** Actions to run. */
      action_list: Block
      /** Start even while the previous run is active. */
      allow_overlap: boolean
    }
    /** snapshot of the job */
    result: {
      name: string
      cron: string
      actions: number
      /** minute that fired last, local time with offset */
      last_run: (string | null)
      /** minute that fires next; null where there is none */
      next_run: (string | null)
      runs: number
      allow_overlap: boolean
      running: boolean
      /** firings that met an active run */
      skipped: number
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
  /** Forget one scheduled job. */
  FA_schedule_remove: {
    params: {
      /** Job name. */
      name: string
    }
    /** last snapshot */
    result: {
      name: string
      cron: string
      actions: number
      /** minute that fired last, local time with offset */
      last_run: (string | null)
      /** minute that fires next; null where there is none */
      next_run: (string | null)
      runs: number
      allow_overlap: boolean
      running: boolean
      /** firings that met an active run */
      skipped: number
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
  /** Forget all scheduled jobs. */
  FA_schedule_remove_all: {
    params: {}
    /** last snapshots */
    result: ReadonlyArray<{
      name: string
      cron: string
      actions: number
      /** minute that fired last, local time with offset */
      last_run: (string | null)
      /** minute that fires next; null where there is none */
      next_run: (string | null)
      runs: number
      allow_overlap: boolean
      running: boolean
      /** firings that met an active run */
      skipped: number
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
  /** List the scheduled jobs. */
  FA_schedule_list: {
    params: {}
    /** snapshots */
    result: ReadonlyArray<{
      name: string
      cron: string
      actions: number
      /** minute that fired last, local time with offset */
      last_run: (string | null)
      /** minute that fires next; null where there is none */
      next_run: (string | null)
      runs: number
      allow_overlap: boolean
      running: boolean
      /** firings that met an active run */
      skipped: number
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
