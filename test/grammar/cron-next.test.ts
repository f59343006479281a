import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { matchesTime, nextTime } from '#grammar/cron/next.ts';
import type { Offset } from '#grammar/cron/next.ts';
import { scanCron } from '#grammar/cron/scan.ts';
import type { Cron } from '#grammar/cron/ast.ts';

const MINUTE = 60_000;
/** Minutes that the walk goes: ten days. */
const MOST = 60 * 24 * 10;
const utc: Offset = () => 0;

function cron(text: string): Cron {
  const found = scanCron(text);
  if (found === undefined) throw new Error(text);
  return found;
}

function times(text: string, from: string, count: number, offset = utc): readonly string[] {
  const found: string[] = [];
  let at = Date.parse(from);
  for (let index = 0; index < count; index += 1) {
    const next = nextTime(cron(text), at, offset);
    if (next === undefined) break;
    found.push(new Date(next).toISOString().slice(0, 16));
    at = next;
  }
  return found;
}

/** Central European time in 2024: two hours ahead of UTC from 31 March to 27 October, else one. */
function berlin(at: number): number {
  return at >= Date.UTC(2024, 2, 31, 1) && at < Date.UTC(2024, 9, 27, 1) ? 120 : 60;
}

describe('the next time', () => {
  it('takes either kind of day when both are restricted (POSIX crontab)', () => {
    expect(times('0 0 1 * mon', '2023-12-31T12:00Z', 4)).toEqual([
      '2024-01-01T00:00',
      '2024-01-08T00:00',
      '2024-01-15T00:00',
      '2024-01-22T00:00',
    ]);
    expect(times('0 0 1 * mon', '2024-01-29T12:00Z', 2)).toEqual(['2024-02-01T00:00', '2024-02-05T00:00']);
  });

  it('takes weekdays in quarters', () => {
    expect(times('*/15 9-17 * * mon-fri', '2024-01-05T17:31Z', 3)).toEqual([
      '2024-01-05T17:45',
      '2024-01-08T09:00',
      '2024-01-08T09:15',
    ]);
  });

  it.each([
    [
      '5/15 * * * *',
      ['2024-01-01T00:05', '2024-01-01T00:20', '2024-01-01T00:35', '2024-01-01T00:50', '2024-01-01T01:05'],
    ],
    [
      '57/1 0 * * *',
      ['2024-01-01T00:57', '2024-01-01T00:58', '2024-01-01T00:59', '2024-01-02T00:57', '2024-01-02T00:58'],
    ],
    [
      '0 0 * * 1/2',
      ['2024-01-01T00:00', '2024-01-03T00:00', '2024-01-05T00:00', '2024-01-07T00:00', '2024-01-08T00:00'],
    ],
    [
      '0 0 * * 5-7',
      ['2024-01-05T00:00', '2024-01-06T00:00', '2024-01-07T00:00', '2024-01-12T00:00', '2024-01-13T00:00'],
    ],
    [
      '0 0 31 * *',
      ['2024-01-31T00:00', '2024-03-31T00:00', '2024-05-31T00:00', '2024-07-31T00:00', '2024-08-31T00:00'],
    ],
    [
      '30 23 31 dec *',
      ['2024-12-31T23:30', '2025-12-31T23:30', '2026-12-31T23:30', '2027-12-31T23:30', '2028-12-31T23:30'],
    ],
  ])('of %s', (text, expected) => {
    expect(times(text, '2023-12-31T23:59:30Z', 5)).toEqual(expected);
  });

  it('is after the moment, also in the middle of a minute that fits', () => {
    expect(nextTime(cron('* * * * *'), Date.parse('2024-01-01T00:00:00.000Z'), utc)).toBe(
      Date.parse('2024-01-01T00:01Z'),
    );
    expect(nextTime(cron('* * * * *'), Date.parse('2024-01-01T00:00:59.999Z'), utc)).toBe(
      Date.parse('2024-01-01T00:01Z'),
    );
  });

  it('is never for a day that does not exist, and far for 29 February', () => {
    expect(nextTime(cron('0 0 31 2 *'), Date.parse('2024-01-01T00:00Z'), utc)).toBeUndefined();
    expect(times('0 0 29 2 *', '2096-03-01T00:00Z', 1)).toEqual(['2104-02-29T00:00']);
  });

  it('leaves out the minutes that a clock change leaves out', () => {
    expect(times('30 2 * * *', '2024-03-30T00:00Z', 3, berlin)).toEqual([
      '2024-03-30T01:30',
      '2024-04-01T00:30',
      '2024-04-02T00:30',
    ]);
  });

  it('fires once in an hour that a clock change repeats', () => {
    expect(times('30 2 * * *', '2024-10-26T12:00Z', 2, berlin)).toEqual(['2024-10-27T00:30', '2024-10-28T01:30']);
    expect(times('*/30 * * * *', '2024-10-26T23:45Z', 4, berlin)).toEqual([
      '2024-10-27T00:00',
      '2024-10-27T00:30',
      '2024-10-27T02:00',
      '2024-10-27T02:30',
    ]);
  });
});

describe('agrees with a walk from minute to minute', () => {
  const part = (first: number, last: number): fc.Arbitrary<string> =>
    fc.oneof(
      fc.constant('*'),
      fc.integer({ min: first, max: last }).map(String),
      fc
        .tuple(fc.integer({ min: first, max: last }), fc.integer({ min: first, max: last }))
        .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
      fc.integer({ min: 1, max: last }).map((step) => `*/${step}`),
    );
  const expression = fc
    .tuple(part(0, 59), part(0, 23), part(1, 31), part(1, 12), part(0, 7))
    .map((fields) => fields.join(' '));

  it.each([
    ['UTC', utc],
    ['a zone with clock changes', berlin],
    ['half an hour off', (): number => -570],
  ] as const)('%s', (_, offset) => {
    fc.assert(
      fc.property(expression, fc.integer({ min: Date.UTC(2024, 2, 28), max: Date.UTC(2024, 9, 30) }), (text, after) => {
        const next = nextTime(cron(text), after, offset);
        const walked = walk(cron(text), after, offset, MOST);
        if (walked !== undefined) expect(next).toBe(walked);
        else expect(next === undefined || next > after + MOST * MINUTE - MINUTE).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

/** The first minute that fits and whose local time was not there before. */
function walk(expression: Cron, after: number, offset: (at: number) => number, minutes: number): number | undefined {
  const start = Math.floor(after / MINUTE) * MINUTE + MINUTE;
  for (let at = start; at < start + minutes * MINUTE; at += MINUTE) {
    if (!matchesTime(expression, at, offset)) continue;
    const wall = at + offset(at) * MINUTE;
    const isRepeated = [...Array.from({ length: 180 }, (_, index) => at - (index + 1) * MINUTE)].some(
      (before) => before + offset(before) * MINUTE === wall,
    );
    if (!isRepeated) return at;
  }
  return undefined;
}
