import type { Clock } from '#schemas/types/host.ts';

/** Now, as ISO 8601 in UTC, to the second. */
export function stampOf(clock: Clock): string {
  return new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
}
