declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly metrics: Metrics;
  }
}

/** Counts and durations of the steps that this run has executed so far, of all its action files. Needs `records` beside it. */
export interface Metrics {
  render(): Exposition;
}

/** What a metrics server answers. */
export interface Exposition {
  readonly text: string;
  readonly contentType: string;
}
