// Generated from stdlib/browser/runs/dependency/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** List files to skip because something they depend on failed. */
  WR_skip_dependents_of_failed: {
    params: {
      /** File path to the paths it depends on. */
      graph: {
        [k: string]: ReadonlyArray<string>
      }
      /** Paths that failed. */
      failed: ReadonlyArray<string>
    }
    /** Paths to skip, in the order of the graph. */
    result: ReadonlyArray<string>
  }
  /** Order files so that dependencies come first. */
  WR_topological_order: {
    params: {
      /** File path to the paths it depends on. */
      graph: {
        [k: string]: ReadonlyArray<string>
      }
    }
    /** All paths of the graph, dependencies first. */
    result: ReadonlyArray<string>
  }
  /** Read the dependencies an action file declares. */
  WR_read_depends_on: {
    params: {
      /** Action file. */
      path: string
    }
    /** The names of `meta.depends_on`, as they are written. */
    result: ReadonlyArray<string>
  }
  /** Build the dependency graph of several action files. */
  WR_build_dependency_graph: {
    params: {
      /** Action files. */
      paths: ReadonlyArray<string>
      /** Fail when a dependency is none of the files. */
      strict: boolean
    }
    /** Each path, in the given order, with the paths that it depends on. */
    result: {
      [k: string]: ReadonlyArray<string>
    }
  }
}
