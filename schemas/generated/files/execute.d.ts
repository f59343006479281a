// Generated from stdlib/files/jobs/execute/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
export interface Commands {
  /** Run an action list in order. */
  FA_execute_action: {
    params: {
      /** Action list, or an object holding it under auto_control. */
      action_list: Block
      /** Record what would run, run nothing. */
      dry_run: boolean
      /** The list is always checked with the file that holds it. */
      validate_first: true
      /** References in the list are always filled. */
      substitute: true
    }
    /** one entry per action in list order, by `execute[<index>]: <command>` */
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
        /** why it was skipped */
        reason?: string
      }
    }
  }
  /** Run independent actions at the same time. */
  FA_execute_action_parallel: {
    params: {
      /** Action list, or an object holding it under auto_control. */
      action_list: Block
      /** Largest number of actions at once. */
      max_workers: number
      /** Record what would run, run nothing. */
      dry_run: boolean
      /** The list is always checked with the file that holds it. */
      validate_first: true
      /** References in the list are always filled. */
      substitute: true
    }
    /** one entry per action in list order, by `execute[<index>]: <command>` */
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
        /** why it was skipped */
        reason?: string
      }
    }
  }
  /** Run several action files one after the other. */
  FA_execute_files: {
    params: {
      /** Action files. */
      execute_files_list: ReadonlyArray<string>
    }
    /**
     * one result object per file, as of `FA_execute_action`
     *
     * Items: one entry per action in list order, by `execute[<index>]: <command>`
     */
    result: ReadonlyArray<{
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
        /** why it was skipped */
        reason?: string
      }
    }>
  }
  /** Check shapes, command names and parameters of an action list. */
  FA_validate: {
    params: {
      /** Action list, or an object holding it under auto_control. */
      action_list: (ReadonlyArray<unknown> | {
        [k: string]: unknown
      } | string)
    }
    /** resolved command names in order */
    result: ReadonlyArray<string>
  }
  /** Expand substitution references in any JSON value. */
  FA_substitute: {
    params: {
      /** Value to expand. */
      payload: unknown
    }
    /** copy with all strings expanded */
    result: unknown
  }
}
