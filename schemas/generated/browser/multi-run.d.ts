// Generated from stdlib/browser/core/multi-run/commands.yaml by `npm run generate`. Do not edit.
import type { Block } from '#runtime/kernel/ports.ts';

// oxfmt-ignore
export interface Commands {
  /** Run the same actions for several users and compare the steps. */
  WR_run_for_users: {
    params: {
      /** Actions to run for each user. */
      action_data: Block
      /** Pairs of user name and setup function (null for none). */
      user_setups: ReadonlyArray<[string, (string | null)]>
      /** Function that runs the actions; it gets a function that does so once. */
      runner: (string | null)
      /** true brings sessions back before each further side: pages, cookies, storage. */
      fresh_state: boolean
    }
    /** Step records per user and the steps that disagree. */
    result: {
      by_user: {
        [k: string]: ReadonlyArray<{
          function_name?: string
          local_param?: {
            [k: string]: unknown
          } | null
          time?: string
          program_exception?: string
        }>
      }
      diff: ReadonlyArray<{
        step: number
        status: {
          [k: string]: "failed" | "passed" | null
        }
        function_name: {
          [k: string]: string | null
        }
      }>
    }
  }
  /** Run the same actions in two environments and compare them step by step. */
  WR_run_ab: {
    params: {
      /** Actions to run on both sides. */
      action_data: Block
      /** Function called just before side A. */
      setup_a: (string | null)
      /** Function called just before side B. */
      setup_b: (string | null)
      /** Function that runs the actions; it gets a function that does so once. */
      runner: (string | null)
      /** true brings sessions back before each further side: pages, cookies, storage. */
      fresh_state: boolean
    }
    /** Both record lists and their comparison. */
    result: {
      records_a: ReadonlyArray<{
        function_name?: string
        local_param?: {
          [k: string]: unknown
        } | null
        time?: string
        program_exception?: string
      }>
      records_b: ReadonlyArray<{
        function_name?: string
        local_param?: {
          [k: string]: unknown
        } | null
        time?: string
        program_exception?: string
      }>
      /** Lengths and differing steps. */
      diff: {
        summary: {
          len_a: number
          len_b: number
          length_match: boolean
        }
        differences: ReadonlyArray<{
          step: number
          a: {
            function_name: (string | null)
            status: ("failed" | "passed" | null)
            exception: (string | null)
          }
          b: {
            function_name: (string | null)
            status: ("failed" | "passed" | null)
            exception: (string | null)
          }
        }>
      }
    }
  }
  /** Compare two step records position by position. */
  WR_diff_ab_records: {
    params: {
      /** Records of side A. */
      records_a: ReadonlyArray<{
        function_name?: string
        local_param?: {
          [k: string]: unknown
        } | null
        time?: string
        program_exception?: string
      }>
      /** Records of side B. */
      records_b: ReadonlyArray<{
        function_name?: string
        local_param?: {
          [k: string]: unknown
        } | null
        time?: string
        program_exception?: string
      }>
    }
    /** Lengths and differing steps. */
    result: {
      summary: {
        len_a: number
        len_b: number
        length_match: boolean
      }
      differences: ReadonlyArray<{
        step: number
        a: {
          function_name: (string | null)
          status: ("failed" | "passed" | null)
          exception: (string | null)
        }
        b: {
          function_name: (string | null)
          status: ("failed" | "passed" | null)
          exception: (string | null)
        }
      }>
    }
  }
}
