import { command } from '#stdlib/command.ts';

import { pageMetrics } from '../../engines/page/metrics.ts';

export const WR_pw_perf_collect = command('WR_pw_perf_collect', ({ observe_ms }, ctx) =>
  pageMetrics(ctx.playwright, ctx, observe_ms),
);
