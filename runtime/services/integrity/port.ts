import type { CheckSummary, MonitorSettings } from '#schemas/types/tree-check.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly integrity: Monitors;
  }
}

/** The integrity monitors of a unit, by name. The unit stays while there are some. */
export interface Monitors {
  /**
   * Begins at once. The same name with the same settings changes nothing; with others, or another function to call, it
   * fails.
   */
  start(name: string, monitor: Monitor, calls: string | null): MonitorSnapshot;
  /** Waits up to five seconds for a check that is under way. Fails for an unknown name. */
  stop(name: string): Promise<MonitorSnapshot>;
  stopAll(): Promise<readonly MonitorSnapshot[]>;
  /** Monitors in the order in which they were started. */
  list(): readonly MonitorSnapshot[];
  /** Tells people what went wrong beside all steps. */
  warn(text: string): void;
}

/** Something that checks again and again between `start` and `stop`; it never fails by itself. */
export interface Monitor {
  readonly settings: MonitorSettings;
  readonly last_summary: CheckSummary | null;
  start(): void;
  stop(): Promise<void>;
  /** Resolves when it has stopped. */
  readonly done: Promise<void>;
}

export interface MonitorSnapshot extends MonitorSettings {
  readonly name: string;
  readonly running: boolean;
  readonly last_summary: CheckSummary | null;
}
