import type { Provider } from '#runtime/kernel/ports.ts';
import { REQUEST_LOG } from '#schemas/generated/settings.ts';

import type { RequestEntry } from './port.ts';

export const provider: Provider<'requestLog'> = {
  open: ({ settings, eachRow }) => {
    const limit = settings.limits?.request_log ?? REQUEST_LOG;
    let kept: RequestEntry[] = [];
    eachRow(() => {
      const before = [...kept];
      return () => void (kept = [...before]);
    });
    return {
      add: (entry) => {
        kept.push(entry);
        // The oldest go first, in blocks, so that a full log does not move all its entries for each request.
        if (kept.length > limit * 1.1) kept = kept.slice(-limit);
      },
      entries: () => kept.slice(-limit),
      clear: () => {
        kept = [];
      },
    };
  },
};
