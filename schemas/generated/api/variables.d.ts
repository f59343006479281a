// Generated from stdlib/api/core/variables/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Store a value under a variable name. */
  AT_set_variable: {
    params: {
      /** Variable name. */
      name: string
      /** Any JSON value. */
      value: unknown
    }
    result: null | undefined | void
  }
  /** Read a stored variable. */
  AT_get_variable: {
    params: {
      /** Variable name. */
      name: string
      /** Value when the variable is not stored. */
      default: unknown
    }
    /** The stored value or the default. */
    result: unknown
  }
  /** Remove all stored variables. */
  AT_clear_variables: {
    params: {}
    result: null | undefined | void
  }
  /** Take a value out of a response and store it under a name. */
  AT_extract_and_store: {
    params: {
      /** Object or list to look in; the last response when left out or null. */
      response: unknown
      /** Dotted path with list positions, such as data.items[0].id. */
      path: string
      /** Variable name. */
      name: string
    }
    /** The extracted value. */
    result: unknown
  }
  /** Fill the placeholders in a text, object or list. */
  AT_render_template: {
    params: {
      /** Value to fill; objects and lists are walked through. */
      payload: unknown
      /** Variables to use instead of the stored ones. */
      store: {
        [k: string]: unknown
      } | null
      /** Fail when a variable is not defined. */
      strict: boolean
    }
    /** The filled value. */
    result: unknown
  }
}
