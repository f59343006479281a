import type { Span } from '#schemas/types/place.ts';

/** Length of the window that is looked at: no text that is searched for may be shorter. */
export const WINDOW = 4;

/** Number of places in the table of shifts; a power of two. */
const SIZE = 4096;

interface Sought {
  readonly text: string;
  /** A number: it is not found inside a longer one. */
  readonly isNumber: boolean;
}

/**
 * Search for many texts at once. Its time grows with the text that is searched and hardly with their number: a table
 * says by the last two characters of a window how far it may move (Wu and Manber, "A fast algorithm for multi-pattern
 * searching", 1994).
 */
export class TextSearch {
  /** Made with the first text: most searches of short runs are never told of any. */
  #shifts: Uint8Array | undefined;
  /** Texts by the hash of their first four characters, the longest first. */
  readonly #byStart = new Map<number, Sought[]>();
  readonly #all = new Set<string>();

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  /** Adds a text; false: it was there already. Text shorter than the window is a bug of the caller. */
  add(text: string, isNumber = false): boolean {
    if (text.length < WINDOW) throw new Error('a text to search for is too short');
    if (this.#all.has(text)) return false;
    this.#all.add(text);
    const shifts = (this.#shifts ??= new Uint8Array(SIZE).fill(WINDOW - 1));
    for (let end = 1; end < WINDOW; end++) {
      const block = blockAt(text, end);
      shifts[block] = Math.min(shifts[block] ?? 0, WINDOW - 1 - end);
    }
    const start = startAt(text, 0);
    const others = this.#byStart.get(start);
    if (others) others.push({ text, isNumber });
    else this.#byStart.set(start, [{ text, isNumber }]);
    others?.sort((a, b) => b.text.length - a.text.length);
    return true;
  }

  /** Spans of the texts, in order; those that overlap are one span. */
  spans(text: string): Span[] {
    const found: Span[] = [];
    const shifts = this.#shifts;
    for (let at = WINDOW - 1; at < text.length;) {
      const shift = shifts?.[blockAt(text, at)] ?? 0;
      if (shift > 0) {
        at += shift;
        continue;
      }
      const start = at - WINDOW + 1;
      const length = this.#lengthAt(text, start);
      if (length > 0) extend(found, start, start + length);
      at += 1;
    }
    return found;
  }

  /** Length of the longest text that stands at a place; 0: none does. */
  #lengthAt(text: string, at: number): number {
    const candidates = this.#byStart.get(startAt(text, at));
    const found = candidates?.find(
      (sought) => text.startsWith(sought.text, at) && (!sought.isNumber || standsAlone(text, at, sought.text.length)),
    );
    return found?.text.length ?? 0;
  }
}

/** Adds a span to those in order before it: one that overlaps the last makes that longer. */
export function extend(spans: Span[], start: number, end: number): void {
  const last = spans.at(-1);
  if (last && start < last.end) spans[spans.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  else spans.push({ start, end });
}

function blockAt(text: string, at: number): number {
  return ((text.charCodeAt(at - 1) * 61) ^ text.charCodeAt(at)) & (SIZE - 1);
}

function startAt(text: string, at: number): number {
  let hash = text.charCodeAt(at);
  for (let next = at + 1; next < at + WINDOW; next++) hash = (Math.imul(hash, 0x01000193) ^ text.charCodeAt(next)) | 0;
  return hash;
}

function standsAlone(text: string, at: number, length: number): boolean {
  return !isDigit(text.charCodeAt(at - 1)) && !isDigit(text.charCodeAt(at + length));
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
