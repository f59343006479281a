// Generated from stdlib/browser/playwright/pw-page-action/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Tick a check box or radio button. */
  WR_pw_check: {
    params: {
      /** Selector: CSS, or `role=`, `label=`, `text=`, `xpath=` and so on. */
      selector: string
    }
    result: null | undefined | void
  }
  /** Click the first element that matches. */
  WR_pw_click: {
    params: {
      /** Selector: CSS, or `role=`, `label=`, `text=`, `xpath=` and so on. */
      selector: string
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
  /** Double-click the first element that matches. */
  WR_pw_dblclick: {
    params: {
      /** Selector: CSS, or `role=`, `label=`, `text=`, `xpath=` and so on. */
      selector: string
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
  /** Drag one element onto another. */
  WR_pw_drag_and_drop: {
    params: {
      /** Element to drag. */
      source_selector: string
      /** Element to drop on. */
      target_selector: string
    }
    result: null | undefined | void
  }
  /** Replace the value of the first input that matches. */
  WR_pw_fill: {
    params: {
      /** Selector: CSS, or `role=`, `label=`, `text=`, `xpath=` and so on. */
      selector: string
      /** New value; empty text clears. */
      value: string
    }
    result: null | undefined | void
  }
  /** Move the pointer over the first element that matches. */
  WR_pw_hover: {
    params: {
      /** Selector: CSS, or `role=`, `label=`, `text=`, `xpath=` and so on. */
      selector: string
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
  /** Focus an element and press a key or key combination. */
  WR_pw_press: {
    params: {
      /** Selector: CSS, or `role=`, `label=`, `text=`, `xpath=` and so on. */
      selector: string
      /** Key name or combination, such as `Control+A`. */
      key: string
    }
    result: null | undefined | void
  }
  /** Choose options of a select element. */
  WR_pw_select_option: {
    params: {
      /** Selector: CSS, or `role=`, `label=`, `text=`, `xpath=` and so on. */
      selector: string
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
    }
    /** values that are selected now */
    result: ReadonlyArray<string>
  }
  /** Type text key by key into the first element that matches. */
  WR_pw_type_text: {
    params: {
      /** Selector: CSS, or `role=`, `label=`, `text=`, `xpath=` and so on. */
      selector: string
      /** Text to type. */
      value: string
      /** Milliseconds between keys. */
      delay: number
    }
    result: null | undefined | void
  }
  /** Untick a check box. */
  WR_pw_uncheck: {
    params: {
      /** Selector: CSS, or `role=`, `label=`, `text=`, `xpath=` and so on. */
      selector: string
    }
    result: null | undefined | void
  }
}
