// Generated from stdlib/browser/core/executor/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
export interface Commands {
  /** Run a list of actions inside the current run. */
  WR_execute_action: {
    params: {
      /** Actions, or an object that holds them under `webdriver_wrapper`. */
      action_list: Block
      /** true: an action that fails ends the list; the rest is skipped. */
      stop_on_failure: boolean
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
      /** With all attempts and the waits between them; absent where it was skipped. */
      duration_ms?: number
    }>
  }
  /** Run several action files one after another. */
  WR_execute_files: {
    params: {
      /** Paths of action files, run in the given order. */
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
        /** With all attempts and the waits between them; absent where it was skipped. */
        duration_ms?: number
      }>
      error?: {
        name: string
        message: string
      }
    }>
  }
  /** Allow or forbid commands that push script text into the browser. */
  WR_set_allow_arbitrary_script: {
    params: {
      /** true permits script commands, false refuses them. */
      enabled: boolean
    }
    result: null | undefined | void
  }
  /** Install a hook that wraps each action for tracing. */
  WR_set_action_span_factory: {
    params: {
      /** Function given the command name; null removes the hook. */
      factory: (string | null)
    }
    result: null | undefined | void
  }
  /** Turn the step record on or off. */
  WR_set_record_enable: {
    params: {
      /** true starts recording, false stops it. */
      set_enable: boolean
    }
    result: null | undefined | void
  }
  /** Set how often a failing action is tried again. */
  WR_set_retry_policy: {
    params: {
      /** Extra attempts after the first one. */
      retries: number
      /** Base wait in seconds between attempts. */
      backoff: number
    }
    result: null | undefined | void
  }
  /** Choose a folder for automatic screenshots of failing actions. */
  WR_set_failure_screenshot_dir: {
    params: {
      /** Folder, created when missing; null or empty text turns the feature off. */
      path: (string | null)
    }
    result: null | undefined | void
  }
}
