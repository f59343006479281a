import * as d from '#schemas/generated/diagnostics.ts';
import type { Diagnostic, Label } from '#schemas/types/diagnostic.ts';
import type { Fix } from '#schemas/types/fix.ts';
import type { Route, SourceId, Span } from '#schemas/types/place.ts';

import { cutText } from '../source/cut-text.ts';
import { numberProblem } from './number.ts';

/** A damaged file of megabytes may have as many mistakes as values; nobody reads more than the first. */
export const MOST_FINDINGS = 1000;

/** Findings of a reader about a text, and the values that are in error because of them. */
export class Findings {
  readonly source: SourceId;
  readonly diagnostics: Diagnostic[] = [];
  readonly poisoned: Route[] = [];

  constructor(source: SourceId) {
    this.source = source;
  }

  /** A label for a range of the text. */
  at(span: Span, text?: string): Label {
    const label = { source: this.source, route: [], part: { text: span } } satisfies Label;
    return text === undefined ? label : { ...label, text };
  }

  add(diagnostic: Diagnostic, poisoned?: Route): void {
    if (this.diagnostics.length < MOST_FINDINGS) this.diagnostics.push(diagnostic);
    if (poisoned === undefined || this.poisoned.length > MOST_FINDINGS) return;
    // A file with more mistakes than are told gets no further findings at all.
    this.poisoned.push(this.poisoned.length < MOST_FINDINGS ? poisoned : []);
  }

  /** Nothing more is told. */
  get #isFull(): boolean {
    return this.diagnostics.length >= MOST_FINDINGS && this.poisoned.length > MOST_FINDINGS;
  }

  /** Reports a number literal that would not keep its value. */
  number(literal: string, span: Span, route: () => Route): void {
    const problem = this.#isFull ? undefined : numberProblem(literal);
    if (problem === undefined) return;
    const at = this.at(span);
    // A literal may be megabytes of digits.
    const shown = { literal: shorten(literal) };
    if (problem === 'integer-too-large') this.add(d.integerTooLarge({ at, ...shown }), route());
    else if (problem === 'number-overflows') this.add(d.numberOverflows({ at, ...shown }), route());
    else this.add(d.numberTooPrecise({ at, ...shown }), route());
  }
}

/** A fix that replaces a range of the text. */
export function textFix(title: string, safety: Fix['safety'], span: Span, text: string): Fix {
  return { title, safety, operations: [{ kind: 'edit-text', span, text }] };
}

/** Text that a message is to name, 40 characters of it at most. */
export function shorten(text: string): string {
  return cutText(text, 40);
}
