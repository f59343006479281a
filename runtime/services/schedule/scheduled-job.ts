import type { Cron } from '#grammar/cron/parse.ts';
import { nextTime } from '#grammar/cron/next.ts';
import type { Clock } from '#schemas/types/host.ts';

import type { ListRuns } from './list-runs.ts';
import type { JobSnapshot } from './port.ts';

/**
 * Minutes that have fired are remembered, so that a clock that is set back does not fire them again; the latest so
 * many.
 */
const REMEMBERED = 1500;
/** Runs of one job at the same time, where it allows several. */
const MOST_ACTIVE = 100;

export interface JobOptions {
  readonly name: string;
  readonly expression: string;
  readonly cron: Cron;
  readonly allowOverlap: boolean;
  readonly runs: ListRuns;
  readonly clock: Clock;
}

/** One job: when it fires next, and what became of its firings. */
export class ScheduledJob {
  readonly runs: ListRuns;
  readonly #options: JobOptions;
  readonly #fired: Set<number>;
  #next: number | undefined;
  #lastRun: number | undefined;
  #count = 0;
  #skipped = 0;

  /** Does not fire in the minute in which it is added. */
  constructor(options: JobOptions, minute: number) {
    this.runs = options.runs;
    this.#options = options;
    this.#fired = new Set([minute]);
    this.#next = this.#nextAfter(minute);
  }

  /** Fires where this minute is one of its own. `jumped`: the minute does not follow that of the look before. */
  look(minute: number, jumped: boolean): void {
    if (jumped) this.#next = this.#nextAfter(minute - 1);
    if (this.#next === undefined || minute < this.#next) return;
    const isDue = minute === this.#next && !this.#fired.has(minute);
    this.#next = this.#nextAfter(minute);
    if (isDue) this.#fire(minute);
  }

  get snapshot(): JobSnapshot {
    const { name, expression, allowOverlap } = this.#options;
    const { actions, active, last } = this.runs;
    return {
      name,
      expression,
      actions,
      allowOverlap,
      last,
      lastRun: this.#lastRun,
      nextRun: this.#next,
      runs: this.#count,
      running: active > 0,
      skipped: this.#skipped,
    };
  }

  #nextAfter(at: number): number | undefined {
    const { cron, clock } = this.#options;
    let next = nextTime(cron, at, clock.offset);
    while (next !== undefined && this.#fired.has(next)) next = nextTime(cron, next, clock.offset);
    return next;
  }

  #fire(minute: number): void {
    this.#fired.add(minute);
    for (const oldest of this.#fired) {
      if (this.#fired.size <= REMEMBERED) break;
      this.#fired.delete(oldest);
    }
    const { allowOverlap } = this.#options;
    if (this.runs.active >= (allowOverlap ? MOST_ACTIVE : 1)) {
      this.#skipped++;
      return;
    }
    this.#lastRun = minute;
    this.#count++;
    void this.runs.start();
  }
}
