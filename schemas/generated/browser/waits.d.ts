// Generated from stdlib/browser/webdriver/waits/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Wait until a condition holds, or until it stops holding. */
  WR_explicit_wait: {
    params: {
      /** Longest wait in seconds. */
      wait_time: number
      /** Condition function of a module beside the action file, `file.mjs#export`; it receives the session. */
      method?: (string | null)
      /** true waits until it holds, false until it no longer holds. */
      until_type: boolean
      /** Condition to wait for, by name: `{ element_visible: total }`. */
      condition?: {
        /** Name of a saved test object, or a locator in place. */
        element_present?: (string | {
          id?: string
          name?: string
          css?: string
          css_selector?: string
          xpath?: string
          class_name?: string
          tag_name?: string
          link_text?: string
          partial_link_text?: string
          role?: string
          label?: string
          placeholder?: string
          text?: string
          test_id?: string
          deep_css?: string
        })
        /** Name of a saved test object, or a locator in place. */
        element_visible?: (string | {
          id?: string
          name?: string
          css?: string
          css_selector?: string
          xpath?: string
          class_name?: string
          tag_name?: string
          link_text?: string
          partial_link_text?: string
          role?: string
          label?: string
          placeholder?: string
          text?: string
          test_id?: string
          deep_css?: string
        })
        /** Name of a saved test object, or a locator in place. */
        element_hidden?: (string | {
          id?: string
          name?: string
          css?: string
          css_selector?: string
          xpath?: string
          class_name?: string
          tag_name?: string
          link_text?: string
          partial_link_text?: string
          role?: string
          label?: string
          placeholder?: string
          text?: string
          test_id?: string
          deep_css?: string
        })
        /** Name of a saved test object, or a locator in place. */
        element_enabled?: (string | {
          id?: string
          name?: string
          css?: string
          css_selector?: string
          xpath?: string
          class_name?: string
          tag_name?: string
          link_text?: string
          partial_link_text?: string
          role?: string
          label?: string
          placeholder?: string
          text?: string
          test_id?: string
          deep_css?: string
        })
        element_text?: {
          /** Name of a saved test object, or a locator in place. */
          element: (string | {
            id?: string
            name?: string
            css?: string
            css_selector?: string
            xpath?: string
            class_name?: string
            tag_name?: string
            link_text?: string
            partial_link_text?: string
            role?: string
            label?: string
            placeholder?: string
            text?: string
            test_id?: string
            deep_css?: string
          })
          is?: string
          contains?: string
        }
        title_is?: string
        title_contains?: string
        address_is?: string
        address_contains?: string
        dialog_open?: boolean
        window_count?: number
      }
    }
    /** value of the condition */
    result: unknown
  }
  /** Wait for a condition (misspelt older name). */
  WR_explict_wait: {
    params: {
      /** Longest wait in seconds. */
      wait_time: number
      /** Condition function that receives the session. */
      method?: (string | null)
      /** true waits until it holds, false until it no longer holds. */
      until_type: boolean
    }
    /** value of the condition */
    result: unknown
  }
  /** Set how long element lookups keep trying. */
  WR_implicitly_wait: {
    params: {
      /** Seconds. */
      time_to_wait: number
    }
    result: null | undefined | void
  }
  /** Set how long a page may take to load. */
  WR_set_page_load_timeout: {
    params: {
      /** Seconds. */
      time_to_wait: number
    }
    result: null | undefined | void
  }
  /** Set how long an asynchronous script may run. */
  WR_set_script_timeout: {
    params: {
      /** Seconds. */
      time_to_wait: number
    }
    result: null | undefined | void
  }
}
