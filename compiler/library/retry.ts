import { nodeHost } from '#runtime/hosts/node.ts';
import type { BackoffOptions } from '#stdlib/files/safety/retry/backoff.ts';
import { retryOnTransient } from '#stdlib/files/safety/retry/retry-on-transient.ts';

import { atLeastZero } from './numbers.ts';

export type { BackoffOptions };

/**
 * Wraps functions so that failures that may pass are tried again: `retry_on_transient({ max_attempts: 5 })(work)`.
 * Behind the last try it rejects with `RetryExhaustedException` and the last error as cause; other errors pass through
 * at once. Throws `RangeError` for fewer than one try and for a wait below 0.
 */
export function retry_on_transient(options: BackoffOptions = {}): ReturnType<typeof retryOnTransient> {
  const { backoff_base: base = 0, backoff_cap: cap = 0 } = options;
  atLeastZero('backoff_base', base);
  atLeastZero('backoff_cap', cap);
  return retryOnTransient(nodeHost(), options);
}
