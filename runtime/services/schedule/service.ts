import type { Provider } from '#runtime/kernel/ports.ts';

import { Scheduler } from './scheduler.ts';

export const provider: Provider<'schedule'> = {
  open: ({ host, keep, port, eachRow }) => {
    const scheduler = new Scheduler({
      clock: host.clock,
      onFailed: async (name, text) => void (await (await port('notify')).alert(`svc: scheduler[${name}] failed`, text)),
      onAdded: (job) => keep({ ...job, name: `schedule ${job.name}` }),
    });
    eachRow(() => scheduler.save());
    return scheduler;
  },
};
