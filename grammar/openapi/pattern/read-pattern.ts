import { isPattern } from '#schemas/types/bounded-match.ts';

/** A regular expression as a tree. */
export type Pattern =
  | { readonly kind: 'sign'; readonly source: string; readonly fits: (sign: string) => boolean }
  | { readonly kind: 'place'; readonly at: 'start' | 'end' | 'border' | 'inside' }
  | { readonly kind: 'ahead'; readonly body: Pattern; readonly isRefused: boolean }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly body: Pattern; readonly least: number; readonly most: number };

/** Groups inside groups: deeper ones are not understood. */
const DEEPEST = 64;

/**
 * The tree of a regular expression that JavaScript takes, with the flag `u` or without; undefined for what is not
 * understood (references back to a group, looks behind, flags inside) and for what is none. Signs are code points with
 * the flag, else units of UTF-16.
 */
export function readPattern(pattern: string, flags: '' | 'u'): Pattern | undefined {
  if (!isPattern(pattern, flags)) return undefined;
  const reader = new PatternReader(pattern, flags);
  try {
    const tree = reader.choice();
    return reader.isAtEnd ? tree : undefined;
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

class NotUnderstood extends Error {}

/** One sign as it may be written: a class, an escape, or itself. */
const written = {
  u: /\[(?:\\[^]|[^\]\\])*\]|\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]*\}|[^1-9k])|[^\\]/giuy,
  '': /\[(?:\\[^]|[^\]\\])*\]|\\(?:u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[^1-9kuxpc])|[^\\]/giy,
};

class PatternReader {
  readonly #pattern: string;
  readonly #flags: '' | 'u';
  readonly #known = new Map<string, Pattern>();
  #at = 0;
  #depth = 0;

  constructor(pattern: string, flags: '' | 'u') {
    this.#pattern = pattern;
    this.#flags = flags;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#pattern.length;
  }

  choice(): Pattern {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'choice', parts };
  }

  #sequence(): Pattern {
    const parts: Pattern[] = [];
    while (!this.isAtEnd && !/[|)]/.test(this.#pattern[this.#at] ?? '')) parts.push(this.#repeated());
    return { kind: 'sequence', parts };
  }

  #repeated(): Pattern {
    const body = this.#part();
    const [whole, sign, least, comma, most] = this.#find(/([*+?])\??|\{(\d+)(?:(,)(\d*))?\}\??/y) ?? [];
    if (whole === undefined) return body;
    if (sign !== undefined)
      return { kind: 'repeat', body, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
    return {
      kind: 'repeat',
      body,
      least: Number(least),
      most: comma === undefined ? Number(least) : most ? Number(most) : Infinity,
    };
  }

  #part(): Pattern {
    if (this.#take('^')) return { kind: 'place', at: 'start' };
    if (this.#take('$')) return { kind: 'place', at: 'end' };
    if (this.#take('\\b')) return { kind: 'place', at: 'border' };
    if (this.#take('\\B')) return { kind: 'place', at: 'inside' };
    return this.#take('(') ? this.#group() : this.#sign();
  }

  #group(): Pattern {
    if (++this.#depth > DEEPEST) throw new NotUnderstood();
    const [, , kind] = this.#find(/(\?(?:([:=!])|<(?![=!])[^>]*>))?/y) ?? [];
    if (this.#pattern[this.#at] === '?') throw new NotUnderstood();
    const body = this.choice();
    if (!this.#take(')')) throw new NotUnderstood();
    this.#depth--;
    return kind === '=' || kind === '!' ? { kind: 'ahead', body, isRefused: kind === '!' } : body;
  }

  #sign(): Pattern {
    const [source] = this.#find(written[this.#flags]) ?? [];
    if (source === undefined) throw new NotUnderstood();
    const known = this.#known.get(source);
    if (known) return known;
    // The engine itself says what one sign means.
    const expression = new RegExp(`^(?:${source})$`, this.#flags);
    const sign: Pattern = { kind: 'sign', source, fits: (text) => expression.test(text) };
    this.#known.set(source, sign);
    return sign;
  }

  #find(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.#at;
    const found = expression.exec(this.#pattern);
    if (found) this.#at += found[0].length;
    return found;
  }

  #take(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}
