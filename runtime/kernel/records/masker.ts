import type { Span } from '#schemas/types/place.ts';
import { formSpans, maskForms } from '#schemas/types/secret-forms.ts';

import { encodings } from './encodings.ts';

const MASK = '***';
/** Shorter values would hide innocent text; they are masked only where their origin is known. */
const SHORTEST = 4;
/** How much of the end of a text is held back in the hope of the end of what is secret by its form. */
const HELD = 8 * 1024;
const words = new Set(['true', 'false', 'null', 'undefined']);

/** Whether a value can be searched for in any text; else it is masked only where it is known to come from. */
export function isSearchable(value: unknown): value is string {
  return typeof value === 'string' && value.length >= SHORTEST && !words.has(value.toLowerCase());
}

/** Knows the secrets of a run and hides them in everything that is written. */
export class Masker {
  readonly #known = new Set<string>();
  readonly #texts = new Set<string>();
  #search: RegExp | undefined;
  #longest = 0;

  /** The value is hidden from now on, in all its encodings. What is too short or too common is left alone. */
  add(secret: unknown): void {
    if (!isSearchable(secret) || this.#known.has(secret)) return;
    this.#known.add(secret);
    for (const text of encodings(secret)) {
      this.#texts.add(text);
      this.#longest = Math.max(this.#longest, text.length);
    }
    this.#search = undefined;
  }

  /** Everything that is hidden, for another process that goes on with this run. */
  secrets(): readonly string[] {
    return [...this.#known];
  }

  text(text: string): string {
    if (text === '') return text;
    const search = this.#expression();
    return maskForms(search ? text.replace(search, MASK) : text);
  }

  /** About the first `length` characters of a text, masked; a secret at the cut is left out, not split. */
  head(text: string, length: number): string {
    if (text.length <= length) return this.text(text);
    const start = text.slice(0, length);
    return this.text(start.slice(0, this.#safeCut(start)));
  }

  #expression(): RegExp | undefined {
    if (this.#texts.size === 0) return undefined;
    // The longest first: a secret that holds another one is hidden whole.
    this.#search ??= new RegExp(
      [...this.#texts]
        .sort((a, b) => b.length - a.length)
        .map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
        .join('|'),
      'g',
    );
    return this.#search;
  }

  /** For text that arrives in pieces: a secret that is split over them is hidden too. */
  chunks(): { push(chunk: string): string; end(): string } {
    let held = '';
    const release = (upTo: number): string => {
      const ready = held.slice(0, upTo);
      held = held.slice(upTo);
      return this.text(ready);
    };
    return {
      push: (chunk) => {
        held += chunk;
        return release(this.#safeCut(held));
      },
      end: () => release(held.length),
    };
  }

  /** Where a text may be cut so that neither a secret nor the beginning of one is split. */
  #safeCut(text: string): number {
    const latest = Math.max(0, text.length - Math.max(0, this.#longest - 1));
    // A word is not split: what is known by its form is mostly one word, and one at the end may go on in the next piece.
    let cut = latest - wordBefore(text, latest);
    const tail = Math.max(0, text.length - HELD);
    const key = text.indexOf('-----BEGIN', tail);
    if (key >= 0 && text.indexOf('-----END', key) < 0) cut = Math.min(cut, key);
    for (const { start, end } of this.#spans(text)) if (start < cut && end > cut) cut = start;
    return cut;
  }

  #spans(text: string): readonly Span[] {
    const search = this.#expression();
    const known = search
      ? Array.from(text.matchAll(search), (found) => ({ start: found.index, end: found.index + found[0].length }))
      : [];
    return [...known, ...formSpans(text)].sort((a, b) => b.end - a.end);
  }
}

/** Length of the word that ends at `at`; 0 where it is too long to be held back. */
function wordBefore(text: string, at: number): number {
  const start = Math.max(0, at - HELD);
  const length = /\S*$/.exec(text.slice(start, at))?.[0].length ?? 0;
  return length === HELD ? 0 : length;
}
