import type { Failure } from '#schemas/types/failure.ts';
import type { Node, Retry } from '#schemas/types/plan.ts';

import type { CommandFacts } from '#schemas/types/command.ts';

/** A wait that was doubled so often is beyond every cap; without an end it would be no number in time. */
const MOST_DOUBLINGS = 64;

/** How a step is repeated: its own `retry`, else what `--retries` gives; undefined: once. */
export function retryOf(node: Node, facts: CommandFacts, retries: number): Retry | undefined {
  if (node.retry) return node.retry;
  return retries > 0 && facts.repeat !== 'once' ? { max_attempts: retries + 1, interval_s: 1 } : undefined;
}

/** Whether a failure after this many attempts is followed by another one. */
export function repeats(retry: Retry, attempts: number, failure: Failure): boolean {
  const limit = retry.max_attempts ?? (retry.max_s === undefined ? 3 : Infinity);
  if (attempts >= limit) return false;
  return (
    retry.on === undefined ||
    retry.on.some((word) => word === failure.facts.class || failure.facts.kinds.includes(word))
  );
}

/**
 * Milliseconds before the next attempt, after this many. Chance takes away up to a quarter, so that many who failed
 * together do not come back together; it never adds.
 */
export function waitMs(retry: Retry, attempts: number, chance: number): number {
  const seconds =
    retry.interval_s ??
    Math.min((retry.backoff_base_s ?? 1) * 2 ** Math.min(attempts - 1, MOST_DOUBLINGS), retry.backoff_cap_s ?? 8);
  return seconds * 1000 * (1 - chance / 4);
}
