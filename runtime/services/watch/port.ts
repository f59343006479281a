import type { Block, StepInfo } from '#runtime/kernel/ports.ts';
import type { LastRun } from '#runtime/services/schedule/list-runs.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly watch: Watchers;
  }
}

export type EventKind = 'created' | 'modified' | 'deleted' | 'moved';

/** The watchers of a unit by their names. The unit stays while there are some. */
export interface Watchers {
  /**
   * Resolves when changes are seen. Fails where the name is taken, or the path cannot be watched; nothing is left
   * behind when aborted.
   */
  start(watcher: NewWatcher, signal: AbortSignal): Promise<WatcherSnapshot>;
  /**
   * Ends a watcher. Its run at work has 5 seconds to end before this resolves; it is not cancelled. A step of that run,
   * `by`, does not wait for itself.
   */
  stop(name: string, by?: StepInfo): Promise<WatcherSnapshot>;
  /** Watchers in the order in which they were started. */
  list(): readonly WatcherSnapshot[];
}

export interface NewWatcher {
  readonly name: string;
  /** Relative to the working directory; `~` is the home folder. */
  readonly path: string;
  readonly list: Pick<Block, 'length' | 'run'>;
  /** The call that starts it, and holds the list. */
  readonly step?: StepInfo;
  /** Runs the list once for each changed path, instead of once for all that was collected. */
  readonly each: boolean;
  /** Created and modified by default. */
  readonly events?: readonly EventKind[];
  readonly recursive: boolean;
  /** Whether a path with this name (its last part) counts. */
  readonly wants?: (name: string) => boolean;
  /** Time (ms) that size and time of a file must stay before it is told of; 0: at once. */
  readonly settleMs: number;
  /** Time (ms) during which changes are collected before a run. */
  readonly debounceMs: number;
}

export interface WatcherSnapshot {
  readonly name: string;
  /** Absolute, links resolved. */
  readonly path: string;
  readonly events: readonly EventKind[];
  readonly recursive: boolean;
  /** False once it was stopped. */
  readonly running: boolean;
  readonly actions: number;
  /** Number of runs of the list. */
  readonly runs: number;
  readonly last: LastRun | undefined;
}
