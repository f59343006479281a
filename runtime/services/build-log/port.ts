declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly buildLog: BuildLog;
  }
}

/** The log of the build server that a run is part of. */
export interface BuildLog {
  /** Writes lines as they are; secrets are hidden, and line breaks in them are not. */
  write(stream: 'stdout' | 'stderr', lines: readonly string[]): void;
}
