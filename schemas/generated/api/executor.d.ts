// Generated from stdlib/api/core/executor/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
export interface Commands {
  /** Run a nested action list and return its record. */
  AT_execute_action: {
    params: {
      /** Actions, or an object holding them under a body key. */
      action_list: Block
    }
    /** One entry per action, in list order. */
    result: ReadonlyArray<{
      index: number
      /** As written, else the index as text. */
      id: string
      command: string
      status: ("ok" | "failed" | "skipped" | "dry_run")
      result?: unknown
      error?: {
        name: string
        message: string
      }
      /** Reason why it was skipped. */
      reason?: string
    }>
  }
  /** Run several action files one after the other. */
  AT_execute_files: {
    params: {
      /** Paths of action files, in order. */
      execute_files_list: ReadonlyArray<string>
    }
    /** One entry per file, in the given order. */
    result: ReadonlyArray<{
      file: string
      status: ("ok" | "failed")
      /** One entry per action, in list order. */
      steps: ReadonlyArray<{
        index: number
        /** As written, else the index as text. */
        id: string
        command: string
        status: ("ok" | "failed" | "skipped" | "dry_run")
        result?: unknown
        error?: {
          name: string
          message: string
        }
        /** Reason why it was skipped. */
        reason?: string
      }>
      error?: {
        name: string
        message: string
      }
    }>
  }
  /** Import a package and register its members as commands. */
  AT_add_package_to_executor: {
    params: {
      /** Package, with a subpath or without, or a file beside the action file: `./shop.mjs`. */
      package: string
    }
    result: null | undefined | void
  }
  /** Import a package and register its members as callback triggers. */
  AT_add_package_to_callback_executor: {
    params: {
      /** Package, with a subpath or without, or a file beside the action file: `./shop.mjs`. */
      package: string
    }
    result: null | undefined | void
  }
}
