// Generated from stdlib/api/core/executor/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

export interface Commands {
  /** Run a nested action list and return its record. */
  AT_execute_action: {
    params: {
      /** Actions, or an object holding them under the key svc. */
      action_list: Block
    }
    /** map from the text `execute: <action>` to the result, or to the error text */
    result: {
      [k: string]: unknown
    }
  }
  /** Run several action files one after the other. */
  AT_execute_files: {
    params: {
      /** Paths of action files, in order. */
      execute_files_list: ReadonlyArray<string>
    }
    /** one record per file, in the given order */
    result: ReadonlyArray<{
      [k: string]: unknown
    }>
  }
  /** Import a package and register its members as commands. */
  AT_add_package_to_executor: {
    params: {
      /** Package name, or a package name with a subpath. */
      package: string
    }
    result: null | undefined | void
  }
  /** Import a package and register its members as callback triggers. */
  AT_add_package_to_callback_executor: {
    params: {
      /** Package name, or a package name with a subpath. */
      package: string
    }
    result: null | undefined | void
  }
}
