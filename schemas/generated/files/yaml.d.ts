// Generated from stdlib/files/formats/yaml/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Read one value out of a YAML file. */
  FA_yaml_get: {
    params: {
      /** YAML file. */
      path: string
      /** Dotted key path, for example a.b.0, or a list of keys and indexes, for example [a, b, 0]. */
      key_path: (string | ReadonlyArray<string | number>)
      /** Value to yield when the path is not there. */
      default: unknown
    }
    /** the value, or the default */
    result: unknown
  }
  /** Set one value inside a YAML file. */
  FA_yaml_set: {
    params: {
      /** Existing YAML file. */
      path: string
      /** Dotted key path, for example a.b.0, or a list of keys and indexes, for example [a, b, 0]. */
      key_path: (string | ReadonlyArray<string | number>)
      /** Any JSON value. */
      value: unknown
    }
    /** true */
    result: true
  }
  /** Remove one value from a YAML file. */
  FA_yaml_delete: {
    params: {
      /** Existing YAML file. */
      path: string
      /** Dotted key path, for example a.b.0, or a list of keys and indexes, for example [a, b, 0]. */
      key_path: (string | ReadonlyArray<string | number>)
    }
    /** true when something was removed */
    result: boolean
  }
}
