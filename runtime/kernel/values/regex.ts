import * as fail from '#schemas/generated/failures.ts';
import { boundedMatch, compiled, SlowMatch } from '#schemas/types/bounded-match.ts';
import type { Host } from '#schemas/types/host.ts';

import type { Regex } from '../ports.ts';

/** Longest time (ms) of one search that cannot be shown to be quick. */
const LIMIT_MS = 1000;
/** Matches that are looked for at once. */
const BATCH = 256;

/** Regular expressions that end: those that may run away are searched under the host's time limit. */
export function makeRegex(host: Host): Regex {
  return {
    match: (pattern, flags, text) => named(pattern, () => boundedMatch(host, { pattern, flags, ms: LIMIT_MS }, text)),
    *all(pattern, flags, text) {
      for (let from = 0; from <= text.length;) {
        const found = named(pattern, () => {
          // An error of the other context is of another realm, and hard to tell from the limit's.
          compiled(pattern, flags);
          try {
            return host.matchMany(pattern, flags, text, { from, limit: BATCH, ms: LIMIT_MS });
          } catch (cause) {
            throw new SlowMatch(pattern, { cause });
          }
        });
        yield* found;
        const last = found.at(-1);
        if (last === undefined || found.length < BATCH) return;
        const [whole = ''] = last.groups;
        from = last.index + (whole.length || ((text.codePointAt(last.index) ?? 0) > 0xffff ? 2 : 1));
      }
    },
  };
}

/** Result of a search; its errors are thrown as failures. */
function named<Found>(pattern: string, search: () => Found): Found {
  try {
    return search();
  } catch (cause) {
    if (cause instanceof SlowMatch) throw fail.matchTooSlow({ pattern, ms: LIMIT_MS, cause });
    throw fail.matchUnreadable({ pattern, reason: cause instanceof Error ? cause.message : '', cause });
  }
}
