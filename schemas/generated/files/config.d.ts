// Generated from stdlib/files/reporting/config/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Load the TOML configuration and put it to use. */
  FA_config_load: {
    params: {
      /** Configuration file. */
      path: string
      /** Register its sinks and defaults. */
      apply: boolean
    }
    /** what was found, without secrets */
    result: {
      /** the file, absolute */
      source: string
      /** names, in the order of the file */
      sinks: ReadonlyArray<string>
      dedup_seconds?: (number | null)
    }
  }
  /** Load the current configuration file again. */
  FA_config_reload: {
    params: {}
    /** true when it had changed and is in force now */
    result: boolean
  }
  /** Reload the configuration whenever its file changes. */
  FA_config_watch_start: {
    params: {
      /** Configuration file. */
      path: string
      /** Seconds between looks. */
      interval: number
      /** Function called with the new configuration; applying it when left out. */
      on_change: (string | null)
    }
    /** configuration at start */
    result: {
      /** the file, absolute */
      source: string
      /** names, in the order of the file */
      sinks: ReadonlyArray<string>
      dedup_seconds?: (number | null)
    }
  }
  /** Stop watching the configuration file. */
  FA_config_watch_stop: {
    params: {}
    /** true when watching */
    result: boolean
  }
}
