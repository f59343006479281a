// Generated from stdlib/browser/playwright/pw-find/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Find the first element that matches a selector. */
  WR_pw_find_element: {
    params: {
      /** Selector: CSS, or `role=`, `label=`, `text=`, `xpath=` and so on. */
      selector: string
    }
    /** the element, or null */
    result: {
      [k: string]: unknown
    } | null
  }
  /** Find one element by a saved test object. */
  WR_pw_find_element_with_test_object_record: {
    params: {
      /** Name of a saved test object. */
      element_name: string
    }
    /** the element */
    result: {
      [k: string]: unknown
    }
  }
  /** Find all elements that match a selector. */
  WR_pw_find_elements: {
    params: {
      /** Selector: CSS, or `role=`, `label=`, `text=`, `xpath=` and so on. */
      selector: string
    }
    /** the elements, possibly none */
    result: ReadonlyArray<{
      [k: string]: unknown
    }>
  }
  /** Find all elements by a saved test object. */
  WR_pw_find_elements_with_test_object_record: {
    params: {
      /** Name of a saved test object. */
      element_name: string
    }
    /** the elements, possibly none */
    result: ReadonlyArray<{
      [k: string]: unknown
    }>
  }
  /** Save a test object and yield its selector. */
  WR_pw_save_test_object_to_selector: {
    params: {
      /** Name that later commands use; without `locator` it is the locator value too. */
      test_object_name: string
      /** Kind of the locator; it says how its value is read. */
      object_type: ("ID" | "NAME" | "XPATH" | "CSS_SELECTOR" | "CLASS_NAME" | "TAG_NAME" | "LINK_TEXT" | "PARTIAL_LINK_TEXT" | "id" | "name" | "xpath" | "css_selector" | "class_name" | "tag_name" | "link_text" | "partial_link_text" | "ROLE" | "LABEL" | "PLACEHOLDER" | "TEXT" | "TEST_ID" | "DEEP_CSS" | "role" | "label" | "placeholder" | "text" | "test_id" | "deep_css")
      /** Locator value, so that a short name can stand for a long selector. */
      locator?: string
    }
    /** selector for the second engine */
    result: string
  }
}
