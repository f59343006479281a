import { isPattern } from '#schemas/types/bounded-match.ts';

/** Comparison of a text: anywhere and in any letter case, exactly, or by a pattern. */
export type TextMatch =
  | { readonly kind: 'contains'; readonly text: string }
  | { readonly kind: 'exact'; readonly text: string }
  | { readonly kind: 'pattern'; readonly source: string; readonly flags: string };

/** Reads `words`, `"exact words"` or `/pattern/flags`. */
export function readText(body: string): TextMatch {
  const pattern = /^\/((?:[^/\\]|\\[\s\S])+)\/([a-z]*)$/.exec(body);
  if (pattern) return { kind: 'pattern', source: pattern[1] ?? '', flags: pattern[2] ?? '' };
  if (body.length > 1 && /^["']/.test(body) && body.endsWith(body[0] ?? ''))
    return { kind: 'exact', text: body.slice(1, -1).replace(/\\(["'\\])/g, '$1') };
  return { kind: 'contains', text: body };
}

/** Mistake in a text, in words; undefined where there is none. */
export function textProblem(body: string): string | undefined {
  const match = readText(body);
  if (match.kind === 'pattern') return patternProblem(match.source, match.flags);
  if (match.text.trim() === '') return 'the text is empty';
  return /^["']/.test(body) && match.kind === 'contains' ? `the quote ${body[0] ?? ''} is not closed` : undefined;
}

/** Mistake in a pattern, in words; undefined where the browser can read it. */
export function patternProblem(source: string, flags: string): string | undefined {
  return isPattern(source, flags) ? undefined : 'the pattern cannot be read';
}
