import type { Clock, Random } from '#schemas/types/host.ts';

import { Backoff, type BackoffOptions } from './backoff.ts';
import { exhausted } from './retry.ts';

type Work<Given extends readonly unknown[], Result> = (...given: Given) => Result | Promise<Result>;

/** Wraps functions so that failures that may pass are tried again. Fewer than one try is a `RangeError`. */
export function retryOnTransient(
  host: { readonly clock: Clock; readonly random: Random },
  options: BackoffOptions = {},
): <Given extends readonly unknown[], Result>(work: Work<Given, Result>) => (...given: Given) => Promise<Result> {
  const { max_attempts: most = 3 } = options;
  if (!Number.isInteger(most) || most < 1) throw new RangeError('max_attempts must be a whole number of at least 1');
  return (work) =>
    async (...given) => {
      const backoff = new Backoff(options, host);
      for (;;) {
        try {
          return await work(...given);
        } catch (error) {
          const wait = backoff.wait(error);
          if (wait === undefined) throw backoff.exhausted === undefined ? error : exhausted(backoff);
          await host.clock.sleep(wait);
        }
      }
    };
}
