import { Cron as Oracle } from 'croner';
import { describe, expect, it } from 'vitest';

import { nextTime, type Offset } from '#grammar/cron/next.ts';
import { scanCron } from '#grammar/cron/scan.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const EXPRESSIONS = process.env['SVC_TEST_FULL'] ? 20_000 : 1500;
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/St_Johns',
  'Africa/Casablanca',
  'Pacific/Chatham',
  'America/Sao_Paulo',
];

let seed = 20_240_229;
const random = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return Math.floor((seed / 2 ** 31) * below);
};

/**
 * Expressions of which both schedulers think the same: no step of 1, no value with a step, no range that begins at 7.
 */
function expression(): string {
  const months = ['jan', 'FEB', 'mar', 'Apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
  const days = ['sun', 'MON', 'tue', 'Wed', 'thu', 'fri', 'sat'];
  const named = (value: number, first: number, names: readonly string[]): string =>
    random(3) === 0 ? (names[value - first] ?? String(value)) : String(value);
  const part = (first: number, last: number, names: readonly string[]): string => {
    const from = first + random(last - first + 1);
    const to = from + random(last - from + 1);
    const step = random(2) === 0 ? '' : `/${2 + random(5)}`;
    return random(2) === 0
      ? named(from, first, names)
      : `${named(from, first, names)}-${named(to, first, names)}${step}`;
  };
  const field = (first: number, last: number, names: readonly string[] = []): string => {
    if (random(3) === 0) return '*';
    if (random(4) === 0) return `*/${2 + random(5)}`;
    return Array.from({ length: 1 + random(3) }, () => part(first, last, names)).join(',');
  };
  return [
    field(0, 59),
    field(0, 23),
    random(2) === 0 ? '*' : field(1, 31),
    field(1, 12, months),
    random(2) === 0 ? '*' : field(0, 6, days),
  ].join(' ');
}

function offsetOf(zone: string): Offset {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  const known = new Map<number, number>();
  return (at) => {
    // No zone changes within a quarter of an hour.
    const quarter = Math.floor(at / (15 * MINUTE));
    let minutes = known.get(quarter);
    if (minutes === undefined) {
      const [, sign, hours = '0', rest = '0'] =
        /GMT(?:([+-])(\d\d):(\d\d))?/.exec(
          format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '',
        ) ?? [];
      minutes = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(rest));
      known.set(quarter, minutes);
    }
    return minutes;
  };
}

function ours(text: string, after: number, offset: Offset): number | undefined {
  const cron = scanCron(text);
  if (cron === undefined) throw new Error(`not read: ${text}`);
  return nextTime(cron, after, offset);
}

describe('the next time is that of another scheduler', () => {
  it.each(zones)('in %s', (zone) => {
    const offset = offsetOf(zone);
    let compared = 0;
    for (let count = 0; count < EXPRESSIONS / zones.length; count += 1) {
      const text = expression();
      const oracle = new Oracle(text, { timezone: zone });
      let at = Date.UTC(2015 + random(20), random(12), 1 + random(28), random(24), random(60), random(60));
      for (let run = 0; run < 5; run += 1) {
        const theirs = oracle.nextRun(new Date(at))?.getTime();
        const mine = ours(text, at, offset);
        if (mine === undefined && (theirs === undefined || theirs - at > 12 * 365 * DAY)) break;
        // Around a change of the clocks the rules differ: there, minutes that do not exist are moved, those that come twice may fire twice.
        if (!changesBetween(offset, at, Math.max(mine ?? 0, theirs ?? 0))) {
          expect([
            text,
            new Date(at).toISOString(),
            mine === undefined ? undefined : new Date(mine).toISOString(),
          ]).toEqual([
            text,
            new Date(at).toISOString(),
            theirs === undefined ? undefined : new Date(theirs).toISOString(),
          ]);
          compared += 1;
        }
        if (mine === undefined) break;
        at = mine;
      }
    }
    expect(compared).toBeGreaterThan(EXPRESSIONS / zones.length);
  });
});

/** Whether the clocks change in the day around either end: what lies between was passed over whole by both. */
function changesBetween(offset: Offset, from: number, to: number): boolean {
  return [from, to].some((at) => offset(at - DAY) !== offset(at + DAY));
}

describe('changes of the clocks', () => {
  it.each([
    // Half an hour only, at 02:00.
    [
      'Australia/Lord_Howe',
      '15 2 * * *',
      '2024-10-04T20:00Z',
      ['2024-10-06T15:15', '2024-10-07T15:15', '2024-10-08T15:15'],
    ],
    [
      'Australia/Lord_Howe',
      '*/15 1 * * *',
      '2024-04-06T14:00Z',
      ['2024-04-06T14:15', '2024-04-06T14:30', '2024-04-06T14:45', '2024-04-07T14:30'],
    ],
    // 30 December 2011 did not exist.
    ['Pacific/Apia', '0 12 * * *', '2011-12-29T00:00Z', ['2011-12-29T22:00', '2011-12-30T22:00', '2011-12-31T22:00']],
    [
      'America/New_York',
      '30 2 * * *',
      '2024-03-09T00:00Z',
      ['2024-03-09T07:30', '2024-03-11T06:30', '2024-03-12T06:30'],
    ],
    ['America/New_York', '30 1 * * *', '2024-11-02T12:00Z', ['2024-11-03T05:30', '2024-11-04T06:30']],
  ])('in %s: %s after %s', (zone, text, after, expected) => {
    const found: string[] = [];
    for (let at: number | undefined = Date.parse(after); found.length < expected.length;) {
      at = ours(text, at, offsetOf(zone));
      if (at === undefined) break;
      found.push(new Date(at).toISOString().slice(0, 16));
    }
    expect(found).toEqual(expected);
  });
});
