import { execFileSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { strftime } from '#runtime/kernel/values/strftime.ts';

const directives = [
  'Y',
  'C',
  'y',
  'm',
  'd',
  'e',
  'H',
  'k',
  'I',
  'l',
  'M',
  'S',
  'p',
  'P',
  'j',
  'a',
  'A',
  'b',
  'h',
  'B',
  'w',
  'u',
  'U',
  'W',
  'V',
  'G',
  'g',
  's',
  'n',
  't',
  '%',
  'D',
  'T',
  'F',
  'R',
  'r',
  '-d',
  '-m',
  '-H',
  '-I',
  '-j',
  '-e',
];
/** Ends and beginnings of years, where weeks belong to the other one, and a leap day. */
const moments = [
  '2026-01-01T00:00:00Z',
  '2024-12-30T23:59:59Z',
  '2021-01-03T12:00:00Z',
  '2020-02-29T09:05:03Z',
  '2016-01-04T13:30:00Z',
  '1999-12-31T11:11:11Z',
  '2027-01-01T12:00:00Z',
  '1970-01-01T00:00:00Z',
];

test.each(moments)('%s is written as `date` writes it', (moment) => {
  const format = directives.map((letter) => `${letter}=%${letter}`).join('|');
  const wanted = execFileSync('date', ['-u', '-d', moment, `+${format}`], {
    env: { LC_ALL: 'C' },
    encoding: 'utf8',
  }).replace(/\n$/, '');
  expect(strftime(format, Date.parse(moment), 0)).toBe(wanted);
});

test('local time, its offset, fractions', () => {
  const at = Date.parse('2026-03-01T23:45:06.789Z');
  expect(strftime('%F %T %z %Z %f %L', at, 330)).toBe('2026-03-02 05:15:06 +0530 +0530 789000 789');
  expect(strftime('%F %T %z', at, -570)).toBe('2026-03-01 14:15:06 -0930');
  expect(strftime('%c|%x|%X|%Z', at, 0)).toBe('Sun Mar  1 23:45:06 2026|03/01/26|23:45:06|UTC');
});

test('what is no directive stays', () => {
  expect(strftime('100% %Q %', 0, 0)).toBe('100% %Q %');
});
