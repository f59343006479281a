// Generated from stdlib/files/local/shell/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Run one external program with an argument list and a time limit. */
  FA_run_shell: {
    params: {
      /** Program and its arguments, one string each. */
      command: ReadonlyArray<string>
      /** Time limit in seconds. */
      timeout: number
      /** Working folder. */
      cwd: (string | null)
      /** Full environment of the program; inherits when left out. */
      env: {
        [k: string]: string
      } | null
      /** Fail on a non-zero exit status. */
      check: boolean
      /** Collect standard output and error. */
      capture_output: boolean
      /** Text for its standard input, as UTF-8; nothing can be read there when left out. */
      input: (string | null)
      /** Encoding of what it writes. */
      encoding: string
    }
    /** exit status and captured text; texts are empty when not captured */
    result: {
      returncode: number
      stdout: string
      stderr: string
    }
  }
}
