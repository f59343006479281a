import { command } from '#stdlib/command.ts';
import { stepResults } from '#stdlib/files/step-results.ts';

export const FA_with_rate_limit = command(
  'FA_with_rate_limit',
  async ({ name, then, rate, burst, tokens, timeout }, ctx) => {
    await ctx.limiters.bucket(name, { rate, burst }).take({ tokens, timeout, signal: ctx.signal });
    return { results: stepResults(await then.run()) };
  },
);

export const FA_rate_limit_acquire = command(
  'FA_rate_limit_acquire',
  async ({ name, rate, burst, tokens, timeout }, ctx) => {
    await ctx.limiters.bucket(name, { rate, burst }).take({ tokens, timeout, signal: ctx.signal });
    return true as const;
  },
);
