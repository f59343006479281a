import { timesOf } from '#grammar/cron/next.ts';
import { scanCron } from '#grammar/cron/scan.ts';
import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

/** Most days that a month has, in a leap year. */
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** A time that is written comes once. */
export default {
  name: 'no-impossible-cron',
  preset: 'recommended',
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(({ params }) => params.some(({ language }) => language === 'cron'))) {
      for (const { name, language } of call.info.params) {
        const text = language === 'cron' ? literal(call, name) : undefined;
        if (typeof text === 'string' && neverFires(text))
          report(d.noImpossibleCron({ at: call.argumentAt(name), expression: text }));
      }
    }
  },
} satisfies Rule;

function neverFires(expression: string): boolean {
  const cron = scanCron(expression);
  if (cron === undefined) return false;
  const { days, months, isEitherDay } = timesOf(cron);
  const first = Math.min(...days);
  return !isEitherDay && [...months].every((month) => first > (DAYS[month - 1] ?? 31));
}
