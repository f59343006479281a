import type { Block } from '#runtime/kernel/ports.ts';

import type { LastRun } from './list-runs.ts';

declare module '#runtime/kernel/ports.ts' {
  interface Ports {
    readonly schedule: Schedule;
  }
}

/** The scheduled jobs of a unit. The unit stays while there are some. */
export interface Schedule {
  /**
   * Fails where the name is taken, or the expression cannot be read. The first firing is in the next minute that
   * matches.
   */
  add(job: NewJob): JobSnapshot;
  /** The job fires no more; runs that are active go on. */
  remove(name: string): JobSnapshot;
  removeAll(): readonly JobSnapshot[];
  /** Jobs in the order in which they were added. */
  list(): readonly JobSnapshot[];
}

export interface NewJob {
  readonly name: string;
  readonly expression: string;
  readonly list: Pick<Block, 'length' | 'run'>;
  readonly allowOverlap: boolean;
}

export interface JobSnapshot {
  readonly name: string;
  readonly expression: string;
  readonly actions: number;
  /** The minute that fired last; milliseconds since 1970. */
  readonly lastRun: number | undefined;
  /** Undefined where it never fires again. */
  readonly nextRun: number | undefined;
  readonly runs: number;
  readonly allowOverlap: boolean;
  readonly running: boolean;
  /** Firings that met too many active runs. */
  readonly skipped: number;
  readonly last: LastRun | undefined;
}
