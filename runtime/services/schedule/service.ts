import type { Provider } from '#runtime/kernel/ports.ts';

import type { Schedule } from './port.ts';
import { Scheduler } from './scheduler.ts';

export const provider: Provider<'schedule'> = {
  open: ({ host, keep, port, eachRow, ofRun }) => {
    const scheduler = new Scheduler({
      clock: host.clock,
      onFailed: async (name, text) => void (await (await port('notify')).alert(`svc: scheduler[${name}] failed`, text)),
      onAdded: (job) => keep({ ...job, name: `schedule ${job.name}` }),
    });
    eachRow(() => scheduler.save());
    return ofRun<(own: Schedule) => Schedule>('schedule', () => (own) => own)(scheduler);
  },
};
