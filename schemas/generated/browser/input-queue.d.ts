// Generated from stdlib/browser/webdriver/input-queue/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Drop the queued input and release held keys and buttons. */
  WR_reset_actions: {
    params: {}
    result: null | undefined | void
  }
  /** Add a pause to the queued input. */
  WR_pause: {
    params: {
      /** Length in seconds. */
      seconds: number
    }
    result: null | undefined | void
  }
  /** Queue typing into whatever has the focus. */
  WR_send_keys: {
    params: {
      /** Text, or a list of texts. */
      keys_to_send: (string | ReadonlyArray<string>)
    }
    result: null | undefined | void
  }
  /** Queue a click on a saved element followed by typing. */
  WR_send_keys_to_element: {
    params: {
      /** Saved test object, that is its locator value. */
      element_name: string
      /** Text, or a list of texts. */
      keys_to_send: (string | ReadonlyArray<string>)
    }
    result: null | undefined | void
  }
  /** Queue holding a key down. */
  WR_press_key: {
    params: {
      /** One key: a character, or a name such as CONTROL or ArrowDown. */
      keycode_on_key_class: string
      /** Saved test object; left out means the current pointer or focus. */
      element_name?: (string | null)
    }
    result: null | undefined | void
  }
  /** Queue letting a key go. */
  WR_release_key: {
    params: {
      /** One key: a character, or a name such as CONTROL or ArrowDown. */
      keycode_on_key_class: string
      /** Saved test object; left out means the current pointer or focus. */
      element_name?: (string | null)
    }
    result: null | undefined | void
  }
  /** Queue a wheel scroll. */
  WR_scroll: {
    params: {
      /** Pixels to the right; negative goes left. */
      scroll_x: number
      /** Pixels down; negative goes up. */
      scroll_y: number
    }
    result: null | undefined | void
  }
  /** Carry out the queued input. */
  WR_perform: {
    params: {}
    result: null | undefined | void
  }
  /** Queue releasing the left mouse button. */
  WR_release: {
    params: {
      /** Saved test object; left out means the current pointer or focus. */
      element_name?: (string | null)
    }
    result: null | undefined | void
  }
  /** Queue a left click. */
  WR_left_click: {
    params: {
      /** Saved test object; left out means the current pointer or focus. */
      element_name?: (string | null)
    }
    result: null | undefined | void
  }
  /** Queue pressing and holding the left button. */
  WR_left_click_and_hold: {
    params: {
      /** Saved test object; left out means the current pointer or focus. */
      element_name?: (string | null)
    }
    result: null | undefined | void
  }
  /** Queue a double click. */
  WR_left_double_click: {
    params: {
      /** Saved test object; left out means the current pointer or focus. */
      element_name?: (string | null)
    }
    result: null | undefined | void
  }
  /** Queue a right click. */
  WR_right_click: {
    params: {
      /** Saved test object; left out means the current pointer or focus. */
      element_name?: (string | null)
    }
    result: null | undefined | void
  }
  /** Queue dragging one saved element onto another. */
  WR_drag_and_drop: {
    params: {
      /** Saved test object, that is its locator value. */
      element_name: string
      /** Saved test object to drop on. */
      target_element_name: string
    }
    result: null | undefined | void
  }
  /** Queue dragging a saved element by an offset. */
  WR_drag_and_drop_offset: {
    params: {
      /** Saved test object, that is its locator value. */
      element_name: string
      /** Pixels to the right. */
      offset_x: number
      /** Pixels down. */
      offset_y: number
    }
    result: null | undefined | void
  }
  /** Queue moving the pointer relative to where it is. */
  WR_move_by_offset: {
    params: {
      /** Pixels to the right. */
      offset_x: number
      /** Pixels down. */
      offset_y: number
    }
    result: null | undefined | void
  }
  /** Queue moving the pointer to the centre of a saved element. */
  WR_move_to_element: {
    params: {
      /** Saved test object, that is its locator value. */
      element_name: string
    }
    result: null | undefined | void
  }
  /** Queue moving the pointer to a point near a saved element. */
  WR_move_to_element_with_offset: {
    params: {
      /** Saved test object, that is its locator value. */
      element_name: string
      /** Pixels right of the centre. */
      offset_x: number
      /** Pixels below the centre. */
      offset_y: number
    }
    result: null | undefined | void
  }
}
