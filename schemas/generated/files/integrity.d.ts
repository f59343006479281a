// Generated from stdlib/files/safety/integrity/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Compare a tree with its manifest once and alert on drift. */
  FA_integrity_check: {
    params: {
      /** Folder to check. */
      root: string
      /** Manifest file. */
      manifest_path: string
      /** Function called with the summary on drift. */
      on_drift: (string | null)
      /** Treat extra files as drift. */
      alert_on_extra: boolean
    }
    /** verification summary */
    result: {
      matched: ReadonlyArray<string>
      missing: ReadonlyArray<string>
      modified: ReadonlyArray<string>
      extra: ReadonlyArray<string>
      /** false on drift */
      ok: boolean
      /** why nothing could be compared, or why the first file that could not be read could not; absent: all was compared */
      error?: string
    }
  }
  /** Check a tree against its manifest again and again. */
  FA_integrity_start: {
    params: {
      /** Unique monitor name. */
      name: string
      /** Folder to check. */
      root: string
      /** Manifest file. */
      manifest_path: string
      /** Seconds between checks. */
      interval: number
      /** Function called with the summary on drift. */
      on_drift: (string | null)
      /** Treat extra files as drift. */
      alert_on_extra: boolean
    }
    /** snapshot of the monitor */
    result: {
      name: string
      root: string
      manifest_path: string
      interval: number
      alert_on_extra: boolean
      running: boolean
      /** of the last check; null before the first */
      last_summary: {
        matched: ReadonlyArray<string>
        missing: ReadonlyArray<string>
        modified: ReadonlyArray<string>
        extra: ReadonlyArray<string>
        /** false on drift */
        ok: boolean
        /** why nothing could be compared, or why the first file that could not be read could not; absent: all was compared */
        error?: string
      } | null
    }
  }
  /** Stop one monitor. */
  FA_integrity_stop: {
    params: {
      /** Monitor name. */
      name: string
    }
    /** last snapshot */
    result: {
      name: string
      root: string
      manifest_path: string
      interval: number
      alert_on_extra: boolean
      running: boolean
      /** of the last check; null before the first */
      last_summary: {
        matched: ReadonlyArray<string>
        missing: ReadonlyArray<string>
        modified: ReadonlyArray<string>
        extra: ReadonlyArray<string>
        /** false on drift */
        ok: boolean
        /** why nothing could be compared, or why the first file that could not be read could not; absent: all was compared */
        error?: string
      } | null
    }
  }
  /** Stop all monitors. */
  FA_integrity_stop_all: {
    params: {}
    /** last snapshots, in the order of the starts */
    result: ReadonlyArray<{
      name: string
      root: string
      manifest_path: string
      interval: number
      alert_on_extra: boolean
      running: boolean
      /** of the last check; null before the first */
      last_summary: {
        matched: ReadonlyArray<string>
        missing: ReadonlyArray<string>
        modified: ReadonlyArray<string>
        extra: ReadonlyArray<string>
        /** false on drift */
        ok: boolean
        /** why nothing could be compared, or why the first file that could not be read could not; absent: all was compared */
        error?: string
      } | null
    }>
  }
  /** List the monitors. */
  FA_integrity_list: {
    params: {}
    /** snapshots, in the order of the starts */
    result: ReadonlyArray<{
      name: string
      root: string
      manifest_path: string
      interval: number
      alert_on_extra: boolean
      running: boolean
      /** of the last check; null before the first */
      last_summary: {
        matched: ReadonlyArray<string>
        missing: ReadonlyArray<string>
        modified: ReadonlyArray<string>
        extra: ReadonlyArray<string>
        /** false on drift */
        ok: boolean
        /** why nothing could be compared, or why the first file that could not be read could not; absent: all was compared */
        error?: string
      } | null
    }>
  }
}
