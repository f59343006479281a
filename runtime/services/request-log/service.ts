import type { Provider } from '#runtime/kernel/ports.ts';

import type { RequestEntry } from './port.ts';

/** `limits.request_log` of the configuration changes it. The oldest requests go first. */
const defaultLimit = 100_000;

export const provider: Provider<'requestLog'> = {
  open: ({ settings }) => {
    const limit = settings.limits?.['request_log'] ?? defaultLimit;
    let kept: RequestEntry[] = [];
    return {
      add: (entry) => {
        kept.push(entry);
        // Dropped in blocks, so that a full log does not move all its entries for each request.
        if (kept.length > limit * 1.1) kept = kept.slice(-limit);
      },
      entries: () => kept.slice(-limit),
      clear: () => {
        kept = [];
      },
    };
  },
};
