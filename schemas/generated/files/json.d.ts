// Generated from stdlib/files/formats/json/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Read one value out of a JSON file. */
  FA_json_get: {
    params: {
      /** JSON file. */
      path: string
      /** Dotted key path, for example a.b.0, or a list of keys and indexes, for example [a, b, 0]. */
      key_path: (string | ReadonlyArray<string | number>)
      /** Value to yield when the path is not there. */
      default: unknown
    }
    /** the value, or the default */
    result: unknown
  }
  /** Set one value inside a JSON file. */
  FA_json_set: {
    params: {
      /** Existing JSON file. */
      path: string
      /** Dotted key path, for example a.b.0, or a list of keys and indexes, for example [a, b, 0]. */
      key_path: (string | ReadonlyArray<string | number>)
      /** Any JSON value. */
      value: unknown
    }
    /** true */
    result: true
  }
  /** Remove one value from a JSON file. */
  FA_json_delete: {
    params: {
      /** Existing JSON file. */
      path: string
      /** Dotted key path, for example a.b.0, or a list of keys and indexes, for example [a, b, 0]. */
      key_path: (string | ReadonlyArray<string | number>)
    }
    /** true when something was removed */
    result: boolean
  }
}
