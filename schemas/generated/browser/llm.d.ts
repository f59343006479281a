// Generated from stdlib/browser/integrations/llm/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Register the function that talks to a language model. */
  WR_llm_set_callable: {
    params: {
      /** Function from prompt text to answer text; null removes it. */
      callable_obj: (string | null)
    }
    result: null | undefined | void
  }
  /** Tell whether a language-model function is registered. */
  WR_llm_has_callable: {
    params: {}
    /** true or false */
    result: boolean
  }
  /** Ask the language model for an action list. */
  WR_llm_generate_actions: {
    params: {
      /** Task for the actions. */
      request: string
      /** Extra facts for the model. */
      context: (string | null)
    }
    /** Actions that the compiler has found nothing wrong with. */
    result: ReadonlyArray<unknown>
  }
  /** Ask the language model for a locator. */
  WR_llm_suggest_locator: {
    params: {
      /** HTML of the page. */
      html: string
      /** Element to find. */
      description: string
    }
    /** Strategy and value. */
    result: {
      strategy: ("CLASS_NAME" | "CSS_SELECTOR" | "ID" | "LINK_TEXT" | "NAME" | "PARTIAL_LINK_TEXT" | "TAG_NAME" | "XPATH")
      value: string
    }
  }
  /** Ask the language model for a locator when all others failed. */
  WR_llm_self_heal_locator: {
    params: {
      /** Name of the element, used as the description. */
      name: string
      /** Function that yields the HTML of the page; the current page of the browser when left out. */
      html_provider: (string | null)
    }
    /** Strategy and value. */
    result: {
      strategy: ("CLASS_NAME" | "CSS_SELECTOR" | "ID" | "LINK_TEXT" | "NAME" | "PARTIAL_LINK_TEXT" | "TAG_NAME" | "XPATH")
      value: string
    }
  }
}
