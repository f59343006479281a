import { command } from '#stdlib/command.ts';
import { stepResults } from '#stdlib/files/step-results.ts';

export const FA_with_circuit_breaker = command(
  'FA_with_circuit_breaker',
  async ({ name, then, failure_threshold, recovery_timeout, retriable }, ctx) => {
    const passage = ctx.limiters
      .breaker(name, { failure_threshold, recovery_timeout, retriable: retriable && [...retriable].sort() })
      .enter();
    try {
      const outcome = await then.run();
      const failures = outcome.steps.flatMap(({ failure }) => failure ?? []);
      if (ctx.signal.aborted) passage.abandoned();
      else if (failures.length === 0) passage.succeeded();
      else passage.failed(...failures);
      return { results: stepResults(outcome) };
    } catch (error) {
      passage.abandoned();
      throw error;
    }
  },
);

export const FA_circuit_breaker_state = command(
  'FA_circuit_breaker_state',
  ({ name }, ctx) => ctx.limiters.knownBreaker(name)?.state ?? 'closed',
);

export const FA_circuit_breaker_reset = command('FA_circuit_breaker_reset', ({ name }, ctx) => {
  ctx.limiters.knownBreaker(name)?.reset();
  return null;
});
