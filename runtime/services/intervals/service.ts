import type { Provider } from '#runtime/kernel/ports.ts';

import { IntervalJobs } from './interval-jobs.ts';

export const provider: Provider<'intervals'> = {
  open: ({ host, notice }) =>
    new IntervalJobs(host.clock, (name, reason) => notice('warning', `The job "${name}" failed: ${reason}`)),
};
