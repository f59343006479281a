declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly config: Configuration;
  }
}

/**
 * The TOML configuration of a unit: its notification sinks and defaults. A broken file never changes what is in force.
 */
export interface Configuration {
  /** Reads a file and, with `apply`, puts it to use: all of it or nothing. Fails with what is wrong with it. */
  load(path: string, options: { readonly apply: boolean; readonly signal: AbortSignal }): Promise<ConfigSummary>;
  /**
   * Looks again at the file that was loaded last. True: it had changed and is in force now. A mistake in it is
   * told as a notice.
   */
  reload(): Promise<boolean>;
  /**
   * Loads a file, then looks at it every `interval` seconds. With `onChange` (`file#function`) that is called instead
   * of putting changes to use.
   */
  watch(
    path: string,
    options: { readonly interval: number; readonly onChange: string | null; readonly signal: AbortSignal },
  ): Promise<ConfigSummary>;
  /** True when there was a watch. Resolves when it does nothing more. */
  unwatch(): Promise<boolean>;
}

/** The part of a configuration that may be shown. */
export interface ConfigSummary {
  /** Absolute. */
  readonly source: string;
  /** Names of its sinks, in the order of the file. */
  readonly sinks: readonly string[];
  readonly dedupSeconds: number | null;
}
