import { unclosedAt } from './unclosed.ts';
import type { Findings } from '../findings.ts';
import type { Reading } from '../reading.ts';
import { mistakeOf, reportMistake } from './syntax.ts';

/**
 * Reports the first error of a broken YAML text, as the fast reader found it. For texts too long to be read a second
 * time.
 */
export function reportYamlErrors(
  text: string,
  { offset, reason }: Reading & { readonly kind: 'syntax-error' },
  findings: Findings,
): void {
  const named = mistakeOf(reason);
  // A seeming key over several lines is a `-` that is indented wrongly, or a line without a colon.
  const mistake = named !== 'long-key' ? named : text.charAt(offset) === '-' ? 'indentation' : 'colon';
  const opening = mistake === 'not-closed' || mistake === 'quote-not-closed' ? unclosedAt(text, offset) : undefined;
  const start = opening ?? Math.min(offset, text.length);
  const isEscape = mistake === 'escape' && text.charAt(start - 1) === '\\';
  const span = isEscape ? { start: start - 1, end: start + 1 } : { start, end: Math.min(start + 1, text.length) };
  reportMistake(text, mistake, span, findings);
}
