// Generated from stdlib/browser/playwright/pw-element/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Make another element of the current list the current one. */
  WR_pw_element_change: {
    params: {
      /** Position in the list, from 0. */
      element_index: number
    }
    result: null | undefined | void
  }
  /** Tick the current check box or radio button. */
  WR_pw_element_check: {
    params: {
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
    }
    result: null | undefined | void
  }
  /** Empty the value of the current element. */
  WR_pw_element_clear: {
    params: {
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
    }
    result: null | undefined | void
  }
  /** Click the current element. */
  WR_pw_element_click: {
    params: {
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
      /** Button of the mouse. */
      button: ("left" | "right" | "middle")
      /** Keys that are held meanwhile; ControlOrMeta is Meta on macOS, Control elsewhere. */
      modifiers?: ReadonlyArray<"Alt" | "Control" | "ControlOrMeta" | "Meta" | "Shift">
      /** Point in pixels from the upper left corner of the element; its middle without it. */
      position?: {
        x: number
        y: number
      }
      /** Does not wait until the element stands still, is enabled and is not covered. */
      force: boolean
    }
    result: null | undefined | void
  }
  /** Double-click the current element. */
  WR_pw_element_dblclick: {
    params: {
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
      /** Button of the mouse. */
      button: ("left" | "right" | "middle")
      /** Keys that are held meanwhile; ControlOrMeta is Meta on macOS, Control elsewhere. */
      modifiers?: ReadonlyArray<"Alt" | "Control" | "ControlOrMeta" | "Meta" | "Shift">
      /** Point in pixels from the upper left corner of the element; its middle without it. */
      position?: {
        x: number
        y: number
      }
      /** Does not wait until the element stands still, is enabled and is not covered. */
      force: boolean
    }
    result: null | undefined | void
  }
  /** Replace the value of the current element. */
  WR_pw_element_fill: {
    params: {
      /** New value. */
      input_value: string
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
    }
    result: null | undefined | void
  }
  /** Read an attribute of the current element. */
  WR_pw_element_get_attribute: {
    params: {
      /** Attribute name. */
      name: string
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
    }
    /** text, or null when absent */
    result: (string | null)
  }
  /** Read a script property of the current element. */
  WR_pw_element_get_property: {
    params: {
      /** Property name. */
      name: string
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
    }
    /** JSON-like value, or null */
    result: unknown
  }
  /** Move the pointer over the current element. */
  WR_pw_element_hover: {
    params: {
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
      /** Keys that are held meanwhile; ControlOrMeta is Meta on macOS, Control elsewhere. */
      modifiers?: ReadonlyArray<"Alt" | "Control" | "ControlOrMeta" | "Meta" | "Shift">
      /** Point in pixels from the upper left corner of the element; its middle without it. */
      position?: {
        x: number
        y: number
      }
      /** Does not wait until the element stands still, is enabled and is not covered. */
      force: boolean
    }
    result: null | undefined | void
  }
  /** Read the inner markup of the current element. */
  WR_pw_element_inner_html: {
    params: {
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
    }
    /** markup */
    result: string
  }
  /** Read the visible text of the current element. */
  WR_pw_element_inner_text: {
    params: {
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
    }
    /** text */
    result: string
  }
  /** Tell whether the current box is ticked. */
  WR_pw_element_is_checked: {
    params: {
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
    }
    /** true or false */
    result: boolean
  }
  /** Tell whether the current element is enabled. */
  WR_pw_element_is_enabled: {
    params: {
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
    }
    /** true or false */
    result: boolean
  }
  /** Tell whether the current element is visible. */
  WR_pw_element_is_visible: {
    params: {
      /** Engine selector of the element to use instead of the current one; it is not waited for. */
      selector?: string
    }
    /** true or false */
    result: boolean
  }
  /** Press a key or combination on the current element. */
  WR_pw_element_press: {
    params: {
      /** Key name or combination, such as `Enter`. */
      key: string
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
    }
    result: null | undefined | void
  }
  /** Save a PNG of the current element. */
  WR_pw_element_screenshot: {
    params: {
      /** Path; `.png` is added where it is missing. */
      filename: string
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
    }
    /** path that was written */
    result: string
  }
  /** Scroll the current element into view when needed. */
  WR_pw_element_scroll_into_view: {
    params: {
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
    }
    result: null | undefined | void
  }
  /** Choose options of the current select element. */
  WR_pw_element_select_option: {
    params: {
      /** Value or label text, a list, or {value|label|index}. */
      value: (string | {
        value?: string
        label?: string
        index?: number
      } | ReadonlyArray<string | {
        value?: string
        label?: string
        index?: number
      }>)
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
    }
    /** values that are selected now */
    result: ReadonlyArray<string>
  }
  /** Type text key by key into the current element. */
  WR_pw_element_type_text: {
    params: {
      /** Text to type. */
      input_value: string
      /** Milliseconds between keys. */
      delay: number
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
    }
    result: null | undefined | void
  }
  /** Untick the current check box. */
  WR_pw_element_uncheck: {
    params: {
      /** Engine selector of the element to use instead of the current one; it is waited for. */
      selector?: string
    }
    result: null | undefined | void
  }
}
