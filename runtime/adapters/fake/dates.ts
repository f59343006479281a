import type { Json } from '#schemas/types/json.ts';

import type { Arguments } from './arguments.ts';
import { plain, type Faker, type Maker } from './maker.ts';

const DAY = 86_400_000;
/** Milliseconds of the units of `-30y`, `+6w`; months and years as the mean of the calendar. */
const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: DAY,
  w: 7 * DAY,
  M: 30.436_875 * DAY,
  y: 365.2425 * DAY,
};

/** Moments are UTC, since zones differ from machine to machine. */
export const dateMakers: Readonly<Record<string, Maker>> = {
  date: { takes: { end: 'today' }, make: (faker, given, now) => dayOf(between(faker, 0, moment(given, 'end', now))) },
  date_between: {
    takes: { start_date: '-30y', end_date: 'today' },
    make: (faker, given, now) => dayOf(span(faker, given, ['start_date', 'end_date'], now)),
  },
  date_time: {
    takes: { end: 'now' },
    make: (faker, given, now) => stamp(between(faker, 0, moment(given, 'end', now))),
  },
  date_time_between: {
    takes: { start_date: '-30y', end_date: 'now' },
    make: (faker, given, now) => stamp(span(faker, given, ['start_date', 'end_date'], now)),
  },
  iso8601: plain((faker, now) => stamp(between(faker, 0, now))),
  date_of_birth: {
    takes: { minimum_age: 0, maximum_age: 115 },
    make: (faker, given, now) => {
      const youngest = given.count('minimum_age', 0, 150);
      const oldest = given.count('maximum_age', youngest, 150);
      const year = units['y'] ?? 0;
      return dayOf(between(faker, now - (oldest + 1) * year + DAY, now - youngest * year));
    },
  },
  time: plain((faker, now) => stamp(between(faker, 0, now)).slice(11, 19)),
  unix_time: plain((faker, now) => Math.floor(between(faker, 0, now) / 1000)),
  year: plain((faker, now) => stamp(between(faker, 0, now)).slice(0, 4)),
  month: plain((faker) => String(faker.number.int({ min: 1, max: 12 })).padStart(2, '0')),
  month_name: plain((faker) => faker.date.month()),
  day_of_week: plain((faker) => faker.date.weekday()),
};

function span(faker: Faker, given: Arguments, [first, last]: readonly [string, string], now: number): number {
  const start = moment(given, first, now);
  const end = moment(given, last, now);
  if (end < start) throw given.unfit(last, 'a moment that is not before the start');
  return between(faker, start, end);
}

/** `now`, `today`, a distance such as `-30y` (s, m, h, d, w, M, y), or a date of ISO 8601. */
function moment(given: Arguments, name: string, now: number): number {
  const text = given.text(name);
  if (text === 'now' || text === 'today') return now;
  const [, sign, count, unit = ''] = /^([+-])(\d{1,6})([smhdwMy])$/.exec(text) ?? [];
  if (count !== undefined) return now + (sign === '-' ? -1 : 1) * Number(count) * (units[unit] ?? 0);
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw given.unfit(name, '`now`, `today`, a distance such as `-30y`, or a date such as 2026-01-31');
  return time;
}

function between(faker: Faker, start: number, end: number): number {
  return faker.number.int({ min: Math.ceil(start), max: Math.max(Math.ceil(start), Math.floor(end)) });
}

function stamp(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

function dayOf(time: number): Json {
  return stamp(time).slice(0, 10);
}
