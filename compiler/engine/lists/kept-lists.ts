import type { CompiledActions } from '#runtime/kernel/linked.ts';

/** Most characters of all texts that are kept; the one that was not asked for longest goes first. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
/** Most lists, and the longest text of one. */
const MOST_LISTS = 1024;
const LONGEST = 64 * 1024;

/**
 * Action lists as they were compiled, by their whole text and by what their ids begin with. Only lists of which the
 * compiler looked at nothing but the text are kept, and none of what a caller may do: that is asked for at each use.
 */
export class KeptLists {
  readonly #lists = new Map<string, CompiledActions>();
  #characters = 0;

  /** The list of a text, with ids that begin like this; undefined where none is kept. */
  find(text: string, prefix: string): CompiledActions | undefined {
    const key = keyOf(text, prefix);
    const known = this.#lists.get(key);
    if (known) {
      // The order of the table is the order of use.
      this.#lists.delete(key);
      this.#lists.set(key, known);
    }
    return known;
  }

  /** Keeps a list, unless its text is too long. */
  keep(text: string, prefix: string, compiled: CompiledActions): void {
    if (text.length > LONGEST) return;
    const key = keyOf(text, prefix);
    if (!this.#lists.has(key)) this.#characters += key.length;
    this.#lists.set(key, compiled);
    for (const oldest of this.#lists.keys()) {
      if (this.#lists.size <= MOST_LISTS && this.#characters <= MOST_CHARACTERS) return;
      this.#lists.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}

function keyOf(text: string, prefix: string): string {
  return `${prefix} ${text}`;
}
