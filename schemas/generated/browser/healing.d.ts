// Generated from stdlib/browser/webdriver/healing/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Find an element, trying fallback locators when the first fails. */
  WR_find_with_healing: {
    params: {
      /** Name of the test object and of its fallbacks. */
      name: string
    }
    /** the first element that matched */
    result: {
      [k: string]: unknown
    }
  }
  /** Add one fallback locator for a name. */
  WR_register_fallback_locator: {
    params: {
      /** Name to heal. */
      name: string
      /** Locator strategy. */
      strategy: ("ID" | "NAME" | "XPATH" | "CSS_SELECTOR" | "CLASS_NAME" | "TAG_NAME" | "LINK_TEXT" | "PARTIAL_LINK_TEXT" | "id" | "name" | "xpath" | "css_selector" | "class_name" | "tag_name" | "link_text" | "partial_link_text" | "ROLE" | "LABEL" | "PLACEHOLDER" | "TEXT" | "TEST_ID" | "DEEP_CSS" | "role" | "label" | "placeholder" | "text" | "test_id" | "deep_css")
      /** Locator value. */
      value: string
    }
    result: null | undefined | void
  }
  /** Replace all fallback locators of a name. */
  WR_register_fallback_locators: {
    params: {
      /** Name to heal. */
      name: string
      /** Pairs of strategy and value, best first. */
      fallbacks: ReadonlyArray<[("ID" | "NAME" | "XPATH" | "CSS_SELECTOR" | "CLASS_NAME" | "TAG_NAME" | "LINK_TEXT" | "PARTIAL_LINK_TEXT" | "id" | "name" | "xpath" | "css_selector" | "class_name" | "tag_name" | "link_text" | "partial_link_text" | "ROLE" | "LABEL" | "PLACEHOLDER" | "TEXT" | "TEST_ID" | "DEEP_CSS" | "role" | "label" | "placeholder" | "text" | "test_id" | "deep_css"), string]>
    }
    result: null | undefined | void
  }
  /** Forget all fallback locators. */
  WR_clear_fallback_locators: {
    params: {}
    result: null | undefined | void
  }
}
