import type { Span } from '#schemas/types/place.ts';
import { formSpans, querySecretSpans, urlPasswordSpans } from '#schemas/types/secret-forms.ts';

import { extend, TextSearch, WINDOW } from './text-search.ts';
import { mayHoldEscapes, spanBefore, Unescaper, type Unescaped } from './unescaper.ts';
import { LAYERS, writtenForms } from './written-forms.ts';

const MASK = '***';
/** Characters after a cut that are searched for the rest of a secret. */
const HELD = 8 * 1024;
/** Text without escapes, and without the sign before which a password stands in an address. */
const plain = /^[\w .,:;()+-]*$/;
const words = new Set(['true', 'false', 'null', 'undefined']);

/** A secret that can be searched for in any text. */
export type Secret = string | number;

/**
 * Whether a value can be searched for; shorter ones would hide innocent text: they are masked only where they are known
 * to come from.
 */
function isSearchable(value: unknown): value is Secret {
  if (typeof value === 'number') return Number.isFinite(value) && String(value).length >= WINDOW;
  return typeof value === 'string' && value.length >= WINDOW && !words.has(value.toLowerCase());
}

/** Knows the secrets of a run and hides them in everything that is written (`compiler/language/secrets.md`). */
export class Masker {
  /** Short texts as they are shown, with their bytes in JSON: names and types come in every record. */
  declare short?: Map<string, { readonly text: string; readonly bytes: number }> | undefined;
  readonly #known = new Set<Secret>();
  readonly #search = new TextSearch();
  /** Characters of secrets that may stand in a text as escapes. */
  readonly #characters = new Set<string>();
  /** Secrets that are not yet among those searched for. */
  #added: Secret[] = [];
  /** Made when a text is searched that may hold escapes. */
  #unescaper: Unescaper | undefined;

  /**
   * The value, or each in a list or an object, is hidden from now on in all its forms. Texts that are too short
   * or too common are left alone.
   */
  add(secret: unknown): void {
    for (const value of typeof secret === 'object' ? leavesOf(secret) : [secret]) this.#addOne(value);
  }

  #addOne(secret: unknown): void {
    const value = typeof secret === 'bigint' ? String(secret) : secret;
    if (!isSearchable(value) || this.#known.has(value)) return;
    this.#known.add(value);
    this.#added.push(value);
    if (!import.meta.withoutForms) this.short = undefined;
  }

  /** Everything that is hidden, for another process that goes on with this run. */
  secrets(): readonly Secret[] {
    return [...this.#known];
  }

  text(text: string): string {
    if (text.length < WINDOW) return text;
    if (!import.meta.withoutForms && this.#known.size === 0 && isInnocent(text)) return text;
    return hidden(text, this.spans(text), text.length);
  }

  /** A number as it is shown. */
  number(value: number): number | string {
    return this.#known.size > 0 && (this.#known.has(value) || this.#known.has(String(value))) ? MASK : value;
  }

  /** The first `length` characters of a text, masked: a secret at the cut is hidden whole. */
  head(text: string, length: number): string {
    if (text.length <= length) return this.text(text);
    const near = text.slice(0, length + HELD);
    return hidden(near, this.spans(near), length);
  }

  /** Takes up what was added since the last search. */
  #learn(): void {
    if (this.#added.length === 0) return;
    const before = import.meta.withoutForms ? 0 : this.#characters.size;
    for (const secret of this.#added) {
      for (const form of import.meta.withoutForms ? [String(secret).trim()] : writtenForms(String(secret))) {
        if (form.length < WINDOW || !this.#search.add(form, form === String(secret) && typeof secret === 'number'))
          continue;
        if (import.meta.withoutForms) continue;
        for (const character of form) this.#characters.add(character);
        // An escape may stand for half of a character.
        for (const unit of form.split('')) this.#characters.add(unit);
      }
    }
    this.#added = [];
    if (!import.meta.withoutForms && this.#characters.size > before) this.#unescaper = undefined;
  }

  /** Spans of secrets, in order, without overlaps: in the text as it is, and below layers of escapes. */
  spans(text: string): Span[] {
    this.#learn();
    const found = this.#spansIn(text);
    if (!import.meta.withoutForms && mayHoldEscapes(text)) {
      this.#unescaper ??= new Unescaper(this.#characters);
      for (const span of spansBelow(text, this.#unescaper, (layer) => this.#spansIn(layer))) found.push(span);
    }
    return united(found);
  }

  #spansIn(text: string): Span[] {
    const known = this.#search.isEmpty ? [] : this.#search.spans(text);
    const found = known.concat(formSpans(text), urlPasswordSpans(text));
    return import.meta.withoutForms ? found : found.concat(querySecretSpans(text));
  }
}

/** Whether a text is of words alone, and holds nothing that is known by its form. */
function isInnocent(text: string): boolean {
  return plain.test(text) && formSpans(text).length === 0;
}

/** Spans found below layers of escapes, as places in the text itself. */
function spansBelow(text: string, unescaper: Unescaper, find: (layer: string) => readonly Span[]): readonly Span[] {
  const found: Span[] = [];
  const layers: Unescaped[] = [];
  for (let layer = unescaper.unescape(text); layer && layers.length < LAYERS; layer = unescaper.unescape(layer.text)) {
    layers.unshift(layer);
    for (const span of find(layer.text)) found.push(layers.reduce((at, each) => spanBefore(each, at), span));
  }
  return found;
}

/** Values in lists and objects that are none themselves, however deep. */
function leavesOf(value: object | null): readonly unknown[] {
  const leaves: unknown[] = [];
  const seen = new Set<unknown>([value]);
  // Parts that are found while it runs are seen by the same loop.
  for (const each of seen) {
    if (typeof each === 'object' && each !== null) for (const part of Object.values(each)) seen.add(part);
    else leaves.push(each);
  }
  return leaves;
}

/** Spans in order, those that overlap as one. */
function united(spans: Span[]): Span[] {
  if (spans.length < 2) return spans;
  const result: Span[] = [];
  for (const { start, end } of spans.sort((a, b) => a.start - b.start)) extend(result, start, end);
  return result;
}

/** A text up to `length`, the spans that begin before it hidden. */
function hidden(text: string, spans: readonly Span[], length: number): string {
  let shown = '';
  let at = 0;
  for (const { start, end } of spans) {
    if (start >= length) break;
    shown += text.slice(at, start) + MASK;
    at = end;
  }
  return at === 0 ? text.slice(0, length) : shown + text.slice(at, Math.max(at, length));
}
