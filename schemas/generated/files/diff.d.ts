// Generated from stdlib/files/local/diff/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Show the difference of two text files as a unified diff. */
  FA_diff_files: {
    params: {
      /** Old file. */
      left: string
      /** New file. */
      right: string
      /** Unchanged lines around each change. */
      context: number
    }
    /** unified diff; empty when equal */
    result: string
  }
  /** Compare two folder trees by content. */
  FA_diff_dirs: {
    params: {
      /** Old tree. */
      left: string
      /** New tree. */
      right: string
    }
    /** sorted relative forward-slash paths */
    result: {
      added: ReadonlyArray<string>
      removed: ReadonlyArray<string>
      changed: ReadonlyArray<string>
    }
  }
  /** Replay a tree comparison onto a target tree. */
  FA_apply_dir_diff: {
    params: {
      /** Result of the tree comparison. */
      diff: {
        added: ReadonlyArray<string>
        removed: ReadonlyArray<string>
        changed: ReadonlyArray<string>
      }
      /** Tree to change. */
      target: string
      /** Tree that supplies added and changed files. */
      source: string
    }
    result: null | undefined | void
  }
  /** Apply a unified diff to one text file. */
  FA_apply_patch: {
    params: {
      /** File to change in place. */
      target: string
      /** Unified diff text. */
      patch: string
    }
    /** true */
    result: true
  }
}
