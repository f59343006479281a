import * as fail from '#schemas/generated/failures.ts';
import type { Host, RegExpMatch } from '#schemas/types/host.ts';

import type { Regex } from '../ports.ts';

/** How long one search may take where it cannot be shown to be quick. */
const LIMIT_MS = 1000;
/** Steps of a search that are quick on any machine. */
const QUICK = 5_000_000;

/** Regular expressions that end: those that may run away are searched under the host's time limit. */
export function makeRegex(host: Host): Regex {
  return {
    match(pattern, flags, text) {
      if (stepsAtMost(pattern, text.length) <= QUICK) return searched(pattern, flags, text);
      try {
        return host.match(pattern, flags, text, LIMIT_MS);
      } catch (cause) {
        if (cause instanceof Error && cause.name === 'SyntaxError') throw fail.matchUnreadable({ pattern, reason: cause.message, cause });
        throw fail.matchTooSlow({ pattern, ms: LIMIT_MS, cause });
      }
    },
  };
}

function searched(pattern: string, flags: string, text: string): RegExpMatch | null {
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, flags.replaceAll('g', '').replaceAll('y', ''));
  } catch (cause) {
    throw fail.matchUnreadable({ pattern, reason: cause instanceof Error ? cause.message : '', cause });
  }
  const found = expression.exec(text);
  return found && { index: found.index, groups: [...found] };
}

/**
 * A bound on the work of a search: every unbounded repetition can at worst multiply it by the length of the text. Infinite
 * where repetitions may lie inside one another, or a group is referred to.
 */
export function stepsAtMost(pattern: string, length: number): number {
  let repetitions = 0;
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') {
      if (/[1-9k]/.test(pattern[at + 1] ?? '') && !inClass) return Infinity;
      at++;
    } else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '*' || character === '+' || character === '{' || (character === '?' && pattern[at - 1] === ')')) {
      if (character !== '?' && pattern[at - 1] === ')') return Infinity;
      if (character !== '?') repetitions++;
    }
  }
  return (length + 1) ** (repetitions + 1);
}
