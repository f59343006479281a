declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly metrics: Metrics;
  }
}

/**
 * Counts and durations of the steps that this run has executed so far, of all its action files. Needs `records` beside
 * it.
 */
export interface Metrics {
  render(): Exposition;
  /** Counts a step that ran for somebody else: not one of this run's records. */
  count(action: string, durationSeconds: number, ok: boolean): void;
}

/** Answer of a metrics server. */
export interface Exposition {
  readonly text: string;
  readonly contentType: string;
}
