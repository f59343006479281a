import type { Regex } from '#runtime/kernel/ports.ts';

export interface LineMatcher {
  /** False: no line of a text with line feeds in it can fit. */
  mayFit(text: string): boolean;
  fits(line: string): boolean;
}

export interface Wanted {
  readonly pattern: string;
  readonly regex: boolean;
  readonly ignore_case: boolean;
}

/** Tells whether a line holds a text, or a match of an expression. Fails for a broken expression. */
export function lineMatcher(regex: Regex, { pattern, regex: isRegex, ignore_case }: Wanted): LineMatcher {
  if (isRegex) {
    const flags = ignore_case ? 'iu' : 'u';
    regex.match(pattern, flags, '');
    return {
      mayFit: textMatcher(regex, pattern, `m${flags}`),
      fits: (line) => regex.match(pattern, flags, line) !== null,
    };
  }
  if (!ignore_case) return { mayFit: (text) => text.includes(pattern), fits: (line) => line.includes(pattern) };
  // A plain text as an expression takes time of its length only.
  const expression = new RegExp(pattern.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&'), 'iu');
  return { mayFit: (text) => expression.test(text), fits: (line) => expression.test(line) };
}

/** Expressions that look around, or take back the flag `m`: they may fit a line alone and not as part of a text. */
const looksAround = /\(\?(?:[=!]|<[=!]|[a-z-]+:)/;

/** An expression that fits a line fits the whole text too: one search then stands for those of all its lines. */
function textMatcher(regex: Regex, pattern: string, flags: string): (text: string) => boolean {
  let isUseful = !looksAround.test(pattern);
  return (text) => {
    if (!isUseful) return true;
    try {
      return regex.match(pattern, flags, text) !== null;
    } catch {
      // Too slow for many lines at once; each alone may still be quick.
      isUseful = false;
      return true;
    }
  };
}
