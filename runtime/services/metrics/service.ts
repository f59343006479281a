import type { Provider } from '#runtime/kernel/ports.ts';

import { MetricsRegistry } from './registry.ts';

/** Counts what has been recorded since it was asked last: steps that ended before the port was opened count, too. */
export const provider: Provider<'metrics'> = {
  open: async ({ port }) => {
    const records = await port('records');
    const registry = new MetricsRegistry();
    let counted = 0;
    return {
      count: (action, seconds, ok) => registry.record(action, seconds, ok),
      render: () => {
        const all = records.all();
        for (; counted < all.length; counted++) {
          const record = all[counted];
          if (record?.status === 'passed' || record?.status === 'failed')
            registry.record(record.command, record.duration_ms / 1000, record.status === 'passed');
        }
        return registry.render();
      },
    };
  },
};
