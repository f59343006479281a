import { command } from '#stdlib/command.ts';

import { bypassWorkers } from '../../engines/page/protocol.ts';
import { clearCaches, unregisterWorkers } from '../../engines/page/service-workers.ts';

export const WR_sw_bypass = command('WR_sw_bypass', ({ bypass }, ctx) =>
  bypassWorkers(ctx.webdriver.current, ctx, bypass),
);

export const WR_sw_clear_caches = command('WR_sw_clear_caches', async (_, ctx) => [
  ...(await clearCaches(ctx.webdriver, ctx)),
]);

export const WR_sw_unregister = command('WR_sw_unregister', async (_, ctx) => [
  ...(await unregisterWorkers(ctx.webdriver, ctx)),
]);
