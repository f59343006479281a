// Generated from stdlib/browser/webdriver/element/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Click the current element (older spelling). */
  WR_click_element: {
    params: {}
    result: null | undefined | void
  }
  /** Type into the current element (older spelling). */
  WR_input_to_element: {
    params: {
      /** Text to type. */
      input_value: string
    }
    result: null | undefined | void
  }
  /** Compare facts about the current element with expected values. */
  WR_element_assert: {
    params: {
      /** Fact name to expected value. */
      check_dict: {
        /** name of the element in small letters */
        tag_name?: unknown
        /** rendered text, trimmed */
        text?: unknown
        /** {width, height} in pixels */
        size?: unknown
        /** {x, y} in the page, whole pixels */
        location?: unknown
        /** {x, y} in the window after scrolling, whole pixels */
        location_once_scrolled_into_view?: unknown
        /** handle of the element in this session */
        id?: unknown
        /** whether it is visible */
        displayed?: unknown
        /** whether it is enabled */
        enabled?: unknown
        /** whether the option or box is selected */
        selected?: unknown
        /** attribute to value as in the markup; null: not there */
        attributes?: {
          [k: string]: string | null
        }
      }
    }
    result: null | undefined | void
  }
  /** Make another element of the current list the current one. */
  WR_element_change_web_element: {
    params: {
      /** Position in the list, from 0. */
      element_index: number
    }
    result: null | undefined | void
  }
  /** Compare facts about the current element (older spelling). */
  WR_element_check_current_web_element: {
    params: {
      /** Fact name to expected value. */
      check_dict: {
        /** name of the element in small letters */
        tag_name?: unknown
        /** rendered text, trimmed */
        text?: unknown
        /** {width, height} in pixels */
        size?: unknown
        /** {x, y} in the page, whole pixels */
        location?: unknown
        /** {x, y} in the window after scrolling, whole pixels */
        location_once_scrolled_into_view?: unknown
        /** handle of the element in this session */
        id?: unknown
        /** whether it is visible */
        displayed?: unknown
        /** whether it is enabled */
        enabled?: unknown
        /** whether the option or box is selected */
        selected?: unknown
        /** attribute to value as in the markup; null: not there */
        attributes?: {
          [k: string]: string | null
        }
      }
    }
    result: null | undefined | void
  }
  /** Empty the current text field. */
  WR_element_clear: {
    params: {}
    result: null | undefined | void
  }
  /** Click the current element at once. */
  WR_element_click: {
    params: {}
    result: null | undefined | void
  }
  /** Read an attribute or property as the browser shows it. */
  WR_element_get_attribute: {
    params: {
      /** Attribute name. */
      name: string
    }
    /** text value, or null */
    result: (string | null)
  }
  /** Read an attribute exactly as written in the markup. */
  WR_element_get_dom_attribute: {
    params: {
      /** Attribute name. */
      name: string
    }
    /** text value, or null */
    result: (string | null)
  }
  /** Read a script property of the element. */
  WR_element_get_property: {
    params: {
      /** Property name. */
      name: string
    }
    /** JSON-like value, or null */
    result: unknown
  }
  /** Describe the choices of the current drop-down. */
  WR_element_get_select: {
    params: {}
    result: {
      multiple: boolean
      options: ReadonlyArray<{
        index: number
        value: string
        text: string
        selected: boolean
        disabled: boolean
      }>
    }
  }
  /** Type text into the current element at once. */
  WR_element_input: {
    params: {
      /** Text to type; special keys as private code points. */
      input_value: string
    }
    result: null | undefined | void
  }
  /** Tell whether the current element is visible. */
  WR_element_is_displayed: {
    params: {}
    /** true or false */
    result: boolean
  }
  /** Tell whether the current element is enabled. */
  WR_element_is_enabled: {
    params: {}
    /** true or false */
    result: boolean
  }
  /** Tell whether the current option or box is selected. */
  WR_element_is_selected: {
    params: {}
    /** true or false */
    result: boolean
  }
  /** Save a PNG of the current element. */
  WR_element_screenshot: {
    params: {
      /** Path; `.png` is added where it is missing. */
      filename: string
    }
    /** true when the file was written */
    result: boolean
  }
  /** Choose an option of the current drop-down by position. */
  WR_element_select_by_index: {
    params: {
      /** Position from 0. */
      index: number
    }
    result: null | undefined | void
  }
  /** Choose an option of the current drop-down by its value. */
  WR_element_select_by_value: {
    params: {
      /** Exact value attribute. */
      value: string
    }
    result: null | undefined | void
  }
  /** Choose an option of the current drop-down by its text. */
  WR_element_select_by_visible_text: {
    params: {
      /** Visible text, blanks trimmed and collapsed. */
      text: string
    }
    result: null | undefined | void
  }
  /** Submit the form of the current element. */
  WR_element_submit: {
    params: {}
    result: null | undefined | void
  }
  /** Read a computed style value. */
  WR_element_value_of_css_property: {
    params: {
      /** CSS property, such as `color`. */
      property_name: string
    }
    /** computed value */
    result: string
  }
}
