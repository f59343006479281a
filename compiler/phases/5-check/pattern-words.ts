/** Values that a pattern allows, where it only lists words: whole values, or beginnings. */
export interface PatternWords {
  readonly kind: 'whole' | 'beginning';
  readonly words: readonly string[];
}

/** Words beyond which a list says less than the pattern. */
const MOST_WORDS = 40;

/**
 * The words that a pattern lists: `^(?:get|post)$` allows two, `^https?://` two beginnings. A class of one letter in
 * both cases (`[gG]`) stands for the small one. Undefined for every pattern that is more than a list.
 */
export function patternWords(pattern: string): PatternWords | undefined {
  if (!pattern.startsWith('^')) return undefined;
  const isWhole = pattern.endsWith('$') && !pattern.endsWith('\\$');
  const reader = new Reader(pattern.slice(1, isWhole ? -1 : undefined));
  const words = reader.alternatives();
  if (words === undefined || !reader.isAtEnd || words.length > MOST_WORDS || words.includes('')) return undefined;
  // References may stand anywhere.
  return { kind: isWhole ? 'whole' : 'beginning', words: words.filter((word) => !word.startsWith('{{')) };
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** Sequences between `|`, at the top or in a group. */
  alternatives(): readonly string[] | undefined {
    const words: string[] = [];
    do {
      const sequence = this.#sequence();
      if (sequence === undefined) return undefined;
      words.push(...sequence);
    } while (words.length <= MOST_WORDS && this.#take('|'));
    return words;
  }

  #sequence(): readonly string[] | undefined {
    let words: readonly string[] = [''];
    while (!this.isAtEnd && !'|)'.includes(this.#text[this.#at] ?? '')) {
      const item = this.#item();
      if (item === undefined) return undefined;
      const choices = this.#take('?') ? ['', ...item] : item;
      if (words.length * choices.length > MOST_WORDS) return undefined;
      words = words.flatMap((word) => choices.map((choice) => word + choice));
    }
    return words;
  }

  #item(): readonly string[] | undefined {
    if (this.#take('(?:') || this.#take('(')) {
      const words = this.alternatives();
      return this.#take(')') ? words : undefined;
    }
    const pair = /^\[([A-Za-z])([A-Za-z])\]/.exec(this.#text.slice(this.#at));
    if (pair?.[1] !== undefined && pair[1].toLowerCase() === pair[2]?.toLowerCase()) {
      this.#at += pair[0].length;
      return [pair[1].toLowerCase()];
    }
    const literal = /^(?:\\([^A-Za-z0-9])|([^\\[\](){}.*+?^$|]))/.exec(this.#text.slice(this.#at));
    if (literal === null) return undefined;
    this.#at += literal[0].length;
    return [literal[1] ?? literal[2] ?? ''];
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}
