import { scanCron } from '#grammar/cron/scan.ts';
import { nearest } from '#grammar/language/nearest.ts';
import type { BackgroundJob } from '#runtime/kernel/ports.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { Clock } from '#schemas/types/host.ts';

import { ListRuns } from './list-runs.ts';
import type { JobSnapshot, NewJob, Schedule } from './port.ts';
import { ScheduledJob } from './scheduled-job.ts';

const MINUTE = 60_000;
/** A clock that is set to another time is noticed so soon. */
const LOOK_MS = 5000;

export interface SchedulerTools {
  readonly clock: Clock;
  /** Hears of runs that failed. */
  readonly onFailed: (name: string, text: string) => void | Promise<void>;
  /**
   * Told of each job that was added. Its `stop` removes it and waits for its runs; those that take long are cancelled.
   */
  readonly onAdded?: (job: BackgroundJob) => void;
}

/**
 * Fires jobs at the minutes of their cron expressions, by the local wall clock. Each minute is looked at once, while it
 * lasts: one that passed unseen (the machine slept, the clock was set forward, the process was busy) is not made up
 * for, and one that comes again (the clock was set back) does not fire a job again.
 */
export class Scheduler implements Schedule {
  readonly #tools: SchedulerTools;
  readonly #jobs = new Map<string, ScheduledJob>();
  readonly #given = new WeakMap<ScheduledJob, NewJob>();
  readonly #gone = new Map<ScheduledJob, () => void>();
  #seen = 0;
  #endTimer: (() => void) | undefined;

  constructor(tools: SchedulerTools) {
    this.#tools = tools;
  }

  add(given: NewJob): JobSnapshot {
    const { name, expression, list, allowOverlap } = given;
    const { clock, onFailed, onAdded } = this.#tools;
    if (this.#jobs.has(name)) throw fail.scheduleExists({ name });
    const cron = scanCron(expression);
    if (cron === undefined) throw fail.cronUnreadable({ expression });
    const runs = new ListRuns({ list, clock, onFailed: (text) => onFailed(name, text) });
    const minute = minuteOf(clock.now());
    const job = new ScheduledJob({ name, expression: expression.trim(), cron, allowOverlap, runs, clock }, minute);
    if (this.#jobs.size === 0) this.#seen = minute;
    this.#jobs.set(name, job);
    this.#given.set(job, given);
    const removed = new Promise<void>((resolve) => this.#gone.set(job, resolve));
    onAdded?.({
      name,
      done: removed.then(() => runs.idle()),
      stop: async () => {
        this.#forget(name, job);
        await runs.end();
      },
    });
    this.#arm();
    return job.snapshot;
  }

  remove(name: string): JobSnapshot {
    const job = this.#jobs.get(name);
    if (!job) throw fail.scheduleUnknown({ name, nearest: nearest(name, [...this.#jobs.keys()]) });
    this.#forget(name, job);
    return job.snapshot;
  }

  /** Remembers the jobs; what it yields removes the others, and adds again those of them that were removed. */
  save(): () => void {
    const before = [...this.#jobs].map(([name, job]) => ({ name, job, given: this.#given.get(job) }));
    return () => {
      for (const [name, job] of this.#jobs) if (!before.some((each) => each.job === job)) this.remove(name);
      for (const each of before) {
        if (this.#jobs.get(each.name) === each.job || !each.given) continue;
        this.add(each.given);
        each.job = this.#jobs.get(each.name) ?? each.job;
      }
    };
  }

  removeAll(): readonly JobSnapshot[] {
    return [...this.#jobs.keys()].map((name) => this.remove(name));
  }

  list(): readonly JobSnapshot[] {
    return [...this.#jobs.values()].map((job) => job.snapshot);
  }

  #forget(name: string, job: ScheduledJob): void {
    if (this.#jobs.get(name) === job) this.#jobs.delete(name);
    this.#gone.get(job)?.();
    this.#gone.delete(job);
    if (this.#jobs.size > 0) return;
    this.#endTimer?.();
    this.#endTimer = undefined;
  }

  #arm(): void {
    if (this.#endTimer) return;
    const { clock } = this.#tools;
    const now = clock.now();
    this.#endTimer = clock.timer(Math.min(minuteOf(now) + MINUTE - now, LOOK_MS), () => {
      this.#endTimer = undefined;
      this.#look(minuteOf(clock.now()));
      if (this.#jobs.size > 0) this.#arm();
    });
  }

  #look(minute: number): void {
    if (minute === this.#seen) return;
    const jumped = minute !== this.#seen + MINUTE;
    this.#seen = minute;
    for (const job of [...this.#jobs.values()]) job.look(minute, jumped);
  }
}

function minuteOf(at: number): number {
  return Math.floor(at / MINUTE) * MINUTE;
}
