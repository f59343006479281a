// Generated from stdlib/browser/playwright/pw-emulation/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Behave like a known device. */
  WR_pw_emulate: {
    params: {
      /** Device name as listed by WR_pw_list_devices. */
      device_name: string
    }
    result: null | undefined | void
  }
  /** List the known device names. */
  WR_pw_list_devices: {
    params: {}
    /** names in alphabetical order */
    result: ReadonlyArray<string>
  }
  /** Set the position that pages are told. */
  WR_pw_set_geolocation: {
    params: {
      /** Degrees north. */
      latitude: number
      /** Degrees east. */
      longitude: number
      /** Metres. */
      accuracy?: (number | null)
    }
    result: null | undefined | void
  }
  /** Set language and regional formats. */
  WR_pw_set_locale: {
    params: {
      /** Language tag, such as `ja-JP`. */
      locale: string
      /** Value for the Accept-Language header. */
      accept_language?: (string | null)
    }
    result: null | undefined | void
  }
  /** Set the time zone of the pages. */
  WR_pw_set_timezone: {
    params: {
      /** Zone name, such as `Asia/Tokyo`. */
      timezone_id: string
    }
    result: null | undefined | void
  }
  /** Resize the page area. */
  WR_pw_set_viewport_size: {
    params: {
      /** Pixels. */
      width: number
      /** Pixels. */
      height: number
    }
    result: null | undefined | void
  }
  /** Return to a plain context. */
  WR_pw_stop_emulate: {
    params: {}
    result: null | undefined | void
  }
  /** Read the size of the page area. */
  WR_pw_viewport_size: {
    params: {}
    /** size in pixels, or null when not fixed */
    result: {
      width?: number
      height?: number
    } | null
  }
}
