// Generated from stdlib/browser/webdriver/driver/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Start a browser session and make it the current one. */
  WR_new_driver: {
    params: {
      /** Browser to start. */
      webdriver_name: ("chrome" | "chromium" | "edge" | "firefox" | "ie" | "safari")
      /** Command-line switches for the browser, such as `--window-size=1280,900`. */
      options?: (ReadonlyArray<string> | null)
      /** Reserved; it has no effect. */
      webdriver_manager_option_dict?: {
        [k: string]: unknown
      } | null
      /** Settings of the Chromium family: excludeSwitches, prefs, debuggerAddress and so on. */
      experimental_options?: {
        [k: string]: unknown
      } | null
      /** Extensions to install at start. */
      extension_paths?: (ReadonlyArray<string> | null)
      /** Ask the driver for the bidirectional protocol: the log `browser` and the evidence of failures hear consoles and errors over it. */
      enable_bidi: boolean
    }
    result: null | undefined | void
  }
  /** Start a browser session, make it the current one and yield its handle. */
  WR_set_driver: {
    params: {
      /** Browser to start. */
      webdriver_name: ("chrome" | "chromium" | "edge" | "firefox" | "ie" | "safari")
      /** Reserved; it has no effect. */
      webdriver_manager_option_dict?: {
        [k: string]: unknown
      } | null
      /** Command-line switches for the browser, such as `--window-size=1280,900`. */
      options?: (ReadonlyArray<string> | null)
      /** Settings of the Chromium family: excludeSwitches, prefs, debuggerAddress and so on. */
      experimental_options?: {
        [k: string]: unknown
      } | null
      /** Extensions to install at start. */
      extension_paths?: (ReadonlyArray<string> | null)
      /** Ask the driver for the bidirectional protocol: the log `browser` and the evidence of failures hear consoles and errors over it. */
      enable_bidi: boolean
    }
    /** handle of the started session */
    result: {
      [k: string]: unknown
    }
  }
  /** Start a browser session (older spelling). */
  WR_get_webdriver_manager: {
    params: {
      /** Browser to start. */
      webdriver_name: ("chrome" | "chromium" | "edge" | "firefox" | "ie" | "safari")
      /** Command-line switches for the browser. */
      options?: (ReadonlyArray<string> | null)
      /** Reserved; it has no effect. */
      webdriver_manager_option_dict?: {
        [k: string]: unknown
      } | null
      /** Settings of the Chromium family. */
      experimental_options?: {
        [k: string]: unknown
      } | null
      /** Extensions to install at start. */
      extension_paths?: (ReadonlyArray<string> | null)
      /** Ask the driver for the bidirectional protocol: the log `browser` and the evidence of failures hear consoles and errors over it. */
      enable_bidi: boolean
    }
    result: null | undefined | void
  }
  /** Make another open session the current one. */
  WR_change_index_of_webdriver: {
    params: {
      /** Position in the list of started sessions, from 0. */
      index_of_webdriver: number
    }
    result: null | undefined | void
  }
  /** Compare facts about the current session with expected values. */
  WR_check_current_webdriver: {
    params: {
      /** Fact name to expected value. */
      check_dict: {
        /** name of the browser */
        name?: unknown
        /** title of the page */
        title?: unknown
        /** address of the page */
        current_url?: unknown
        /** markup of the page */
        page_source?: unknown
        /** handle of the window */
        current_window_handle?: unknown
        /** handles of all windows */
        window_handles?: unknown
        /** what the driver granted */
        capabilities?: unknown
        /** {implicit, pageLoad, script} in seconds */
        timeouts?: unknown
        /** id of the virtual authenticator, or null */
        virtual_authenticator_id?: unknown
      }
    }
    result: null | undefined | void
  }
  /** Close every browser session (older spelling). */
  WR_quit: {
    params: {}
    result: null | undefined | void
  }
  /** Close every browser session. */
  WR_quit_all: {
    params: {}
    result: null | undefined | void
  }
  /** Close the current browser session. */
  WR_quit_current: {
    params: {}
    result: null | undefined | void
  }
  /** Close the current browser session (older spelling). */
  WR_single_quit: {
    params: {}
    result: null | undefined | void
  }
  /** Open a session on a remote WebDriver hub. */
  WR_start_remote_driver: {
    params: {
      /** Address of the hub; may carry user and key in the authority part. */
      hub_url: string
      /** Session capabilities. */
      capabilities: {
        [k: string]: unknown
      }
      /** true makes the session the current one. */
      register: boolean
    }
    /** handle of the remote session */
    result: {
      [k: string]: unknown
    }
  }
  /** Set capabilities for the sessions that are started later. */
  WR_set_webdriver_options_capability: {
    params: {
      /** Capability name to value. */
      key_and_vale_dict: {
        [k: string]: unknown
      }
    }
    /** all capabilities that wait for the next start */
    result: {
      [k: string]: unknown
    }
  }
  /** Build chrome options that load a browser extension. */
  WR_chrome_options_with_extension: {
    params: {
      /** Packed extension file, or folder of an unpacked one. */
      crx_or_dir: string
      /** Existing options to extend. */
      options?: {
        [k: string]: unknown
      } | null
    }
    /** chrome options with the extension added */
    result: {
      [k: string]: unknown
    }
  }
}
