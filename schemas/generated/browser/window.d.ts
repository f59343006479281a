// Generated from stdlib/browser/webdriver/window/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Maximise the current window. */
  WR_maximize_window: {
    params: {}
    result: null | undefined | void
  }
  /** Minimise the current window. */
  WR_minimize_window: {
    params: {}
    result: null | undefined | void
  }
  /** Show the current window full screen. */
  WR_fullscreen_window: {
    params: {}
    result: null | undefined | void
  }
  /** Read the position of the window. */
  WR_get_window_position: {
    params: {
      /** Only the current window can be addressed. */
      window_handle: "current"
    }
    result: {
      x: number
      y: number
    }
  }
  /** Read position and size of the window. */
  WR_get_window_rect: {
    params: {}
    result: {
      x: number
      y: number
      width: number
      height: number
    }
  }
  /** Move the window. */
  WR_set_window_position: {
    params: {
      /** Left edge in pixels. */
      x: number
      /** Top edge in pixels. */
      y: number
      /** Only the current window can be addressed. */
      window_handle: "current"
    }
    result: {
      x: number
      y: number
      width: number
      height: number
    }
  }
  /** Set position and size of the window together. */
  WR_set_window_rect: {
    params: {
      /** Left edge in pixels. */
      x?: (number | null)
      /** Top edge in pixels. */
      y?: (number | null)
      /** Width in pixels. */
      width?: (number | null)
      /** Height in pixels. */
      height?: (number | null)
    }
    result: {
      x: number
      y: number
      width: number
      height: number
    }
  }
  /** Resize the window. */
  WR_set_window_size: {
    params: {
      /** Width in pixels. */
      width: number
      /** Height in pixels. */
      height: number
      /** Only the current window can be addressed. */
      window_handle: "current"
    }
    result: null | undefined | void
  }
}
