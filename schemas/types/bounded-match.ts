import type { Host, RegExpMatch } from './host.ts';

/** Steps of a search that are quick on any machine. */
const QUICK = 5_000_000;
/** Characters of a pattern: the engine's code for one grows with it. */
const MOST_OF_A_PATTERN = 20_000;

/** A search that was ended by its time limit. */
export class SlowMatch extends Error {}

/**
 * The first match of a pattern that may come from outside. A pattern that cannot be shown to be quick is
 * searched by the host, under a time limit. Throws a SyntaxError for what is no regular expression, and a
 * `SlowMatch` at the limit.
 */
export function boundedMatch(
  host: Pick<Host, 'match'>,
  { pattern, flags, ms }: { readonly pattern: string; readonly flags: string; readonly ms: number },
  text: string,
): RegExpMatch | null {
  const expression = compiled(pattern, flags.replaceAll(/[gy]/g, ''));
  if (stepsAtMost(pattern, text.length) <= QUICK) {
    const found = expression.exec(text);
    return found && { index: found.index, groups: [...found] };
  }
  try {
    return host.match(pattern, flags, text, ms);
  } catch (cause) {
    throw new SlowMatch(pattern, { cause });
  }
}

/** A regular expression of a pattern that is short enough to be one. */
export function compiled(pattern: string, flags: string): RegExp {
  if (pattern.length > MOST_OF_A_PATTERN) throw new SyntaxError(`it has more than ${MOST_OF_A_PATTERN} characters`);
  return new RegExp(pattern, flags);
}

/** Whether a text is a regular expression. */
export function isPattern(pattern: string, flags = ''): boolean {
  try {
    return compiled(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * A bound on the work of a search: every unbounded repetition can at worst multiply it by the length of the text, an
 * optional part doubles it, and a group multiplies it by its alternatives. Infinite where repetitions may lie inside
 * one another, or a group is referred to.
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
      // The next sign is the kind of the group.
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
