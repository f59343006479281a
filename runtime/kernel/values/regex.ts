import * as fail from '#schemas/generated/failures.ts';
import type { Host, RegExpMatch } from '#schemas/types/host.ts';

import type { Regex } from '../ports.ts';

/** How long one search may take where it cannot be shown to be quick. */
const LIMIT_MS = 1000;
/** Steps of a search that are quick on any machine. */
const QUICK = 5_000_000;
/** Matches that are looked for at once. */
const BATCH = 256;

/** Regular expressions that end: those that may run away are searched under the host's time limit. */
export function makeRegex(host: Host): Regex {
  return {
    match(pattern, flags, text) {
      if (stepsAtMost(pattern, text.length) <= QUICK) return searched(pattern, flags, text);
      return bounded(pattern, flags, () => host.match(pattern, flags, text, LIMIT_MS));
    },
    *all(pattern, flags, text) {
      for (let from = 0; from <= text.length;) {
        const found = bounded(pattern, flags, () =>
          host.matchMany(pattern, flags, text, { from, limit: BATCH, ms: LIMIT_MS }),
        );
        yield* found;
        const last = found.at(-1);
        if (last === undefined || found.length < BATCH) return;
        const [whole = ''] = last.groups;
        from = last.index + (whole.length || ((text.codePointAt(last.index) ?? 0) > 0xffff ? 2 : 1));
      }
    },
  };
}

function bounded<Found>(pattern: string, flags: string, search: () => Found): Found {
  // An error of the other context is of another realm, and hard to tell from the limit's.
  compiled(pattern, flags);
  try {
    return search();
  } catch (cause) {
    throw fail.matchTooSlow({ pattern, ms: LIMIT_MS, cause });
  }
}

function searched(pattern: string, flags: string, text: string): RegExpMatch | null {
  const found = compiled(pattern, flags.replaceAll('g', '').replaceAll('y', '')).exec(text);
  return found && { index: found.index, groups: [...found] };
}

function compiled(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (cause) {
    throw fail.matchUnreadable({ pattern, reason: cause instanceof Error ? cause.message : '', cause });
  }
}

/**
 * A bound on the work of a search: every unbounded repetition can at worst multiply it by the length of the text, an optional
 * part doubles it, and a group multiplies it by its alternatives. Infinite where repetitions may lie inside one another, or a
 * group is referred to.
 */
export function stepsAtMost(pattern: string, length: number): number {
  let repetitions = 0;
  let ways = 1;
  let inClass = false;
  /** The alternatives of the groups that are open, the whole pattern the first of them. */
  const open = [1];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') {
      if (/[1-9k]/.test(pattern[at + 1] ?? '') && !inClass) return Infinity;
      at++;
    } else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') {
      open.push(1);
      // What follows is the kind of the group.
      if (pattern[at + 1] === '?') at++;
    } else if (character === ')') ways *= open.pop() ?? 1;
    else if (character === '|') open.push((open.pop() ?? 1) + 1);
    else if (character === '?') ways *= 2;
    else if (character === '*' || character === '+' || character === '{') {
      if (pattern[at - 1] === ')') return Infinity;
      repetitions++;
    }
  }
  return open.reduce((all, alternatives) => all * alternatives, ways) * (length + 1) ** (repetitions + 1);
}
