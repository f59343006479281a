import { matchesTime, timesOf } from '#grammar/cron/next.ts';
import { scanCron } from '#grammar/cron/scan.ts';
import * as fail from '#schemas/generated/failures.ts';
import type { CommandMap } from '#schemas/generated/command-map.ts';

import type { ActionList } from './execute.ts';
import { SharedSession, type SharedOptions } from './shared-session.ts';

/** Five cron fields, as sets of the values that match. */
export class CronExpression {
  /** The expression, without blanks around it. */
  readonly source: string;
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
  readonly #cron: Parameters<typeof matchesTime>[0];

  private constructor(source: string, cron: Parameters<typeof matchesTime>[0]) {
    const { minutes, hours, days, months, weekdays } = timesOf(cron);
    this.source = source;
    this.minutes = minutes;
    this.hours = hours;
    this.days = days;
    this.months = months;
    this.weekdays = weekdays;
    this.#cron = cron;
    Object.freeze(this);
  }

  /** Throws `CronException` for anything else than five fields that can be read. */
  static parse(expression: string): CronExpression {
    // Programs hand over what stands in an environment or a file.
    const cron = scanCron(String(expression));
    if (cron === undefined) throw fail.cronUnreadable({ expression: String(expression) });
    return new CronExpression(expression.trim(), cron);
  }

  /**
   * Whether a local minute fires; seconds do not matter. A text is a wall time as it stands there (`2024-05-01T09:30`),
   * whatever offset follows; a `Date` is taken in the time zone of the machine.
   */
  matches(moment: string | Date): boolean {
    const [, wall] =
      typeof moment === 'string'
        ? (/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/.exec(
            moment.trim().replace(' ', 'T'),
          ) ?? [])
        : [];
    const at = typeof moment === 'string' ? wallTime(wall) : moment.getTime() - moment.getTimezoneOffset() * 60_000;
    if (Number.isNaN(at))
      throw fail.argumentsUnfit({
        command: 'CronExpression.matches',
        reason: '"moment" must be a local date and time, such as 2024-05-01T09:30',
      });
    return matchesTime(this.#cron, at, () => 0);
  }
}

/** Milliseconds of a wall time, as if it were UTC; `NaN` for a day that its month does not have. */
function wallTime(wall: string | undefined): number {
  const at = Date.parse(wall === undefined ? 'unreadable' : `${wall}:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 16) === wall ? at : NaN;
}

/** A job as it is now: times in ISO form, `last_result` by action. */
export type ScheduledJob = CommandMap['FA_schedule_add']['result'];

/**
 * Runs action lists of a session at cron times, until `shutdown`; jobs keep the process alive. Rules are those of
 * `FA_schedule_add`.
 */
export class Scheduler implements AsyncDisposable {
  readonly #session: SharedSession;

  constructor(options: SharedOptions = {}) {
    this.#session = new SharedSession(options);
  }

  /**
   * Rejects with `CronException`, with `SchedulerException` for a name that is taken, and for a list that does not
   * check.
   */
  add(
    name: string,
    cron_expression: string,
    action_list: ActionList,
    { allow_overlap = false }: { readonly allow_overlap?: boolean } = {},
  ): Promise<ScheduledJob> {
    return this.#session.action('FA_schedule_add', { name, cron_expression, action_list, allow_overlap });
  }

  /**
   * Answers with the job as it was; a run at work ends by itself. Rejects with `SchedulerException` for an unknown
   * name.
   */
  remove(name: string): Promise<ScheduledJob> {
    return this.#session.action('FA_schedule_remove', { name });
  }

  /** Answers with the jobs as they were. */
  remove_all(): Promise<readonly ScheduledJob[]> {
    return this.#session.action('FA_schedule_remove_all', {});
  }

  /** Jobs in the order in which they were added. */
  list(): Promise<readonly ScheduledJob[]> {
    return this.#session.action('FA_schedule_list', {});
  }

  /** Forgets all jobs; a run at work has 5 seconds to end. */
  shutdown(): Promise<void> {
    return this.#session.closeAfter(() => this.remove_all());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutdown();
  }
}
