import type { Cron, CronField } from './ast.ts';

const MINUTE = 60_000;
/** The longest wait of a day that exists: 29 February over a century that is no leap year, and some more. */
const MOST_YEARS = 12;

/** Minutes by which local time is ahead of UTC at a moment (milliseconds since 1970). */
export type Offset = (at: number) => number;

/**
 * The first moment after `after` at which the expression fires, in milliseconds since 1970 at the start of a minute;
 * undefined where it never does (31 February). Local time decides: minutes that a clock change leaves out do not fire,
 * those that it repeats fire the first time only.
 */
export function nextTime(cron: Cron, after: number, offset: Offset): number | undefined {
  const times = timesOf(cron);
  // Local time is reckoned as if it were UTC.
  let wall = floor(after + offset(after) * MINUTE) + MINUTE;
  const last = wall + MOST_YEARS * 366 * 24 * 60 * MINUTE;
  for (;;) {
    const found = nextWall(times, wall, last);
    if (found === undefined) return undefined;
    const moment = momentOf(found, offset);
    if (moment !== undefined && moment > after) return moment;
    wall = found + MINUTE;
  }
}

/** Whether the expression fires in the local minute that holds the moment. */
export function matchesTime(cron: Cron, at: number, offset: Offset): boolean {
  const wall = new Date(floor(at + offset(at) * MINUTE));
  const times = timesOf(cron);
  return (
    times.minutes.has(wall.getUTCMinutes()) &&
    times.hours.has(wall.getUTCHours()) &&
    times.months.has(wall.getUTCMonth() + 1) &&
    matchesDay(times, wall)
  );
}

export interface Times {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** Both kinds of days are restricted: then either is enough (POSIX crontab). */
  readonly isEitherDay: boolean;
}

/** The values of each field; weekday 7 counts as 0. */
export function timesOf(cron: Cron): Times {
  return {
    minutes: valuesOf(cron.minute),
    hours: valuesOf(cron.hour),
    days: valuesOf(cron.day),
    months: valuesOf(cron.month),
    // 7 is Sunday too.
    weekdays: new Set([...valuesOf(cron.weekday)].map((day) => day % 7)),
    isEitherDay: isRestricted(cron.day) && isRestricted(cron.weekday),
  };
}

function isRestricted(field: CronField): boolean {
  return !field.some(({ kind, step }) => kind === 'any' && (step === undefined || step === 1));
}

function valuesOf(field: CronField): ReadonlySet<number> {
  const values = new Set<number>();
  for (const { from, to, step = 1 } of field) for (let value = from; value <= to; value += step) values.add(value);
  return values;
}

/** The first local minute from `from` on that fits; fields that do not fit are passed over as a whole. */
function nextWall(times: Times, from: number, last: number): number | undefined {
  let wall = from;
  while (wall <= last) {
    const date = new Date(wall);
    if (!times.months.has(date.getUTCMonth() + 1)) wall = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    else if (!matchesDay(times, date))
      wall = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1);
    else if (!times.hours.has(date.getUTCHours()))
      wall = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours() + 1);
    else if (!times.minutes.has(date.getUTCMinutes())) wall += MINUTE;
    else return wall;
  }
  return undefined;
}

function matchesDay(times: Times, date: Date): boolean {
  const day = times.days.has(date.getUTCDate());
  const weekday = times.weekdays.has(date.getUTCDay());
  return times.isEitherDay ? day || weekday : day && weekday;
}

/** The first moment with that local time; undefined where a clock change leaves it out. */
function momentOf(wall: number, offset: Offset): number | undefined {
  // No zone is more than a day away from UTC, and no change moves a clock by more than that.
  const offsets = [offset(wall - 24 * 60 * MINUTE), offset(wall + 24 * 60 * MINUTE), offset(wall)];
  const moments = offsets
    .map((minutes) => wall - minutes * MINUTE)
    .filter((moment) => moment + offset(moment) * MINUTE === wall);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

function floor(wall: number): number {
  return Math.floor(wall / MINUTE) * MINUTE;
}
