// Generated from stdlib/browser/playwright/pw-input/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Hold a key down. */
  WR_pw_keyboard_down: {
    params: {
      /** Key name. */
      key: string
    }
    result: null | undefined | void
  }
  /** Press and release a key in the focused element. */
  WR_pw_keyboard_press: {
    params: {
      /** Key name or combination. */
      key: string
    }
    result: null | undefined | void
  }
  /** Type text into the focused element. */
  WR_pw_keyboard_type: {
    params: {
      /** Text to type. */
      text: string
      /** Milliseconds between keys. */
      delay: number
    }
    result: null | undefined | void
  }
  /** Release a held key. */
  WR_pw_keyboard_up: {
    params: {
      /** Key name. */
      key: string
    }
    result: null | undefined | void
  }
  /** Click at a point of the view. */
  WR_pw_mouse_click: {
    params: {
      /** Pixels from the left edge of the view. */
      x: number
      /** Pixels from the top edge of the view. */
      y: number
      /** Mouse button. */
      button: ("left" | "right" | "middle")
      /** Click count reported to the page; 2 makes a double click. */
      click_count: number
    }
    result: null | undefined | void
  }
  /** Press a mouse button and keep it down. */
  WR_pw_mouse_down: {
    params: {
      /** Mouse button. */
      button: ("left" | "right" | "middle")
      /** Click count reported to the page; 2 makes a double click. */
      click_count: number
    }
    result: null | undefined | void
  }
  /** Move the pointer to a point of the view. */
  WR_pw_mouse_move: {
    params: {
      /** Pixels from the left edge of the view. */
      x: number
      /** Pixels from the top edge of the view. */
      y: number
      /** Number of intermediate move events. */
      steps: number
    }
    result: null | undefined | void
  }
  /** Release a mouse button. */
  WR_pw_mouse_up: {
    params: {
      /** Mouse button. */
      button: ("left" | "right" | "middle")
      /** Click count reported to the page; 2 makes a double click. */
      click_count: number
    }
    result: null | undefined | void
  }
}
