import type { Provider } from '#runtime/kernel/ports.ts';

import { Scheduler } from './scheduler.ts';

export const provider: Provider<'schedule'> = {
  open: ({ host, keep, port }) =>
    new Scheduler({
      clock: host.clock,
      onFailed: (name, text) => port('notify').then((notify) => notify.alert(`svc: scheduler[${name}] failed`, text)),
      onAdded: (job) => keep({ ...job, name: `schedule ${job.name}` }),
    }),
};
