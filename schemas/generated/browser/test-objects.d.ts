// Generated from stdlib/browser/core/test-objects/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Forget every saved test object (older spelling). */
  WR_CleanTestObject: {
    params: {}
    result: null | undefined | void
  }
  /** Remember a locator for later lookup (older spelling). */
  WR_SaveTestObject: {
    params: {
      /** Locator value; it doubles as the key that later commands use. */
      test_object_name: string
      /** Locator strategy for that value. */
      object_type: ("ID" | "NAME" | "XPATH" | "CSS_SELECTOR" | "CLASS_NAME" | "TAG_NAME" | "LINK_TEXT" | "PARTIAL_LINK_TEXT" | "id" | "name" | "xpath" | "css_selector" | "class_name" | "tag_name" | "link_text" | "partial_link_text" | "ROLE" | "LABEL" | "PLACEHOLDER" | "TEXT" | "TEST_ID" | "DEEP_CSS" | "role" | "label" | "placeholder" | "text" | "test_id" | "deep_css")
    }
    result: null | undefined | void
  }
  /** Remember a locator so that later commands can refer to it. */
  WR_save_test_object: {
    params: {
      /** Name that later commands use; without `locator` it is the locator value too. */
      test_object_name: string
      /** Kind of the locator; it says how its value is read. */
      object_type: ("ID" | "NAME" | "XPATH" | "CSS_SELECTOR" | "CLASS_NAME" | "TAG_NAME" | "LINK_TEXT" | "PARTIAL_LINK_TEXT" | "id" | "name" | "xpath" | "css_selector" | "class_name" | "tag_name" | "link_text" | "partial_link_text" | "ROLE" | "LABEL" | "PLACEHOLDER" | "TEXT" | "TEST_ID" | "DEEP_CSS" | "role" | "label" | "placeholder" | "text" | "test_id" | "deep_css")
      /** Locator value, so that a short name can stand for a long selector. */
      locator?: string
    }
    result: null | undefined | void
  }
  /** Forget every saved test object. */
  WR_clear_test_objects: {
    params: {}
    result: null | undefined | void
  }
}
