// Generated from stdlib/browser/webdriver/element-find/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Find one element by a saved test object (older spelling). */
  WR_find_element: {
    params: {
      /** Name of a saved test object. */
      element_name: string
    }
    /** the element */
    result: {
      [k: string]: unknown
    }
  }
  /** Find all elements of a saved test object (older spelling). */
  WR_find_elements: {
    params: {
      /** Name of a saved test object. */
      element_name: string
    }
    /** the elements */
    result: ReadonlyArray<{
      [k: string]: unknown
    }>
  }
  /** Find one element by a saved test object. */
  WR_find_recorded_element: {
    params: {
      /** Name of a saved test object. */
      element_name: string
    }
    /** the element */
    result: {
      [k: string]: unknown
    }
  }
  /** Find all elements of a saved test object. */
  WR_find_recorded_elements: {
    params: {
      /** Name of a saved test object. */
      element_name: string
    }
    /** the elements, possibly none */
    result: ReadonlyArray<{
      [k: string]: unknown
    }>
  }
}
