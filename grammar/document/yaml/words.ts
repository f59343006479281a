/** Length (UTF-16 units) of the longest text that is kept: keys and names of commands are shorter. */
const MOST = 32;
const SLOTS = 512;

/**
 * Short pieces of one text that stand in it again and again, each kept once: an object finds a key that it has seen
 * without a look at its letters, and the copies take no memory. A piece gives its slot up to the next that falls there.
 */
export class Words {
  readonly #text: string;
  readonly #kept: (string | undefined)[] = Array.from({ length: SLOTS }, () => undefined);

  constructor(text: string) {
    this.#text = text;
  }

  at(start: number, end: number): string {
    const text = this.#text;
    const length = end - start;
    if (length === 0 || length > MOST) return text.slice(start, end);
    const ends = text.charCodeAt(start) * 7 + text.charCodeAt(end - 1) * 31;
    const slot = (ends + text.charCodeAt(start + (length >> 1)) * 127 + length * 17) % SLOTS;
    const kept = this.#kept[slot];
    if (kept !== undefined && kept.length === length && text.startsWith(kept, start)) return kept;
    const word = text.slice(start, end);
    this.#kept[slot] = word;
    return word;
  }
}
