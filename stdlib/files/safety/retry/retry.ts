import * as fail from '#schemas/generated/failures.ts';
import { command } from '#stdlib/command.ts';
import { stepResults } from '#stdlib/files/step-results.ts';

import { Backoff } from './backoff.ts';

export const FA_with_retry = command('FA_with_retry', async ({ then, whole_list, ...options }, ctx) => {
  const backoff = new Backoff(options, ctx);
  const retry = {
    wait: (failure: unknown) => backoff.wait(failure),
    before: async (index: number) => {
      if (whole_list && index > 0) await then.run({ retry, end: index });
    },
  };
  const results = stepResults(await then.run({ retry }));
  if (backoff.exhausted !== undefined) throw exhausted(backoff, { results });
  return { results };
});

/** Failure when no try passed, with the last one's failure as its cause. */
export function exhausted(backoff: Backoff, result?: unknown): Error {
  const { exhausted: cause, attempts } = backoff;
  return fail.retryExhausted({
    attempts,
    reason: cause instanceof Error ? cause.message : String(cause),
    cause,
    result,
  });
}
