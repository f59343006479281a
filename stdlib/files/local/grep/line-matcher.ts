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

/** What tells whether a line holds a text, or something that an expression finds. Fails for a broken expression. */
export function lineMatcher(regex: Regex, { pattern, regex: isRegex, ignore_case }: Wanted): LineMatcher {
  if (isRegex) {
    const flags = ignore_case ? 'iu' : 'u';
    regex.match(pattern, flags, '');
    return { mayFit: () => true, fits: (line) => regex.match(pattern, flags, line) !== null };
  }
  if (!ignore_case) return { mayFit: (text) => text.includes(pattern), fits: (line) => line.includes(pattern) };
  // A plain text as an expression takes time of its length only.
  const expression = new RegExp(pattern.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&'), 'iu');
  return { mayFit: (text) => expression.test(text), fits: (line) => expression.test(line) };
}
