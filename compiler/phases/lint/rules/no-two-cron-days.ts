import { timesOf } from '#grammar/cron/next.ts';
import { scanCron } from '#grammar/cron/scan.ts';
import * as d from '#schemas/generated/diagnostics.ts';

import { literal, type Rule } from '../rule.ts';

/** Few expect that either day is enough where both are restricted. */
export default {
  name: 'no-two-cron-days',
  preset: 'recommended',
  judgesValues: true,
  resolved({ groups, report }) {
    for (const call of groups.of(({ params }) => params.some(({ language }) => language === 'cron'))) {
      for (const { name, language } of call.info.params) {
        const text = language === 'cron' ? literal(call, name) : undefined;
        const cron = typeof text === 'string' ? scanCron(text) : undefined;
        if (cron && timesOf(cron).isEitherDay)
          report(d.noTwoCronDays({ at: call.argumentAt(name), expression: String(text) }));
      }
    }
  },
} satisfies Rule;
