import { budgetExceeded } from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';

import { pageMetrics } from '../../engines/page/metrics.ts';

export const WR_perf_assert_within = command('WR_perf_assert_within', ({ metrics, thresholds }) => {
  const breaches = Object.entries(thresholds).flatMap(([metric, limit]) => {
    const value = metrics[metric];
    return typeof value === 'number' && value <= limit ? [] : [{ metric, limit, value }];
  });
  if (breaches.length === 0) return;
  throw budgetExceeded({
    breaches: breaches
      .map(
        ({ metric, limit, value }) =>
          `${metric} ${typeof value === 'number' ? `is ${value}` : 'was not measured'} (at most ${limit})`,
      )
      .join('; '),
    expected: Object.fromEntries(breaches.map(({ metric, limit }) => [metric, limit])),
    actual: Object.fromEntries(breaches.map(({ metric, value }) => [metric, typeof value === 'number' ? value : null])),
  });
});

export const WR_perf_collect = command('WR_perf_collect', ({ observe_ms }, ctx) =>
  pageMetrics(ctx.webdriver, ctx, observe_ms),
);
