/** Signs that a class such as `\d` or `.` is filled with. */
const letters = 'abcdefghijklmnopqrstuvwxyz';
const classes: Readonly<Record<string, string>> = {
  d: '0123456789',
  w: `${letters}0123456789_`,
  s: ' ',
  D: letters,
  W: '-',
  S: letters,
};
/** More than the least number of repeats is never needed; an open end gets this many more at most. */
const MORE = 2;

/**
 * A text that a regular expression matches, with the choices that `chance` (from 0 to below 1) makes; undefined
 * for what is not understood: look-around, back references, named classes. The text still has to be tried
 * against the expression.
 */
export function textOfPattern(pattern: string, chance: () => number): string | undefined {
  const reader = new PatternReader(pattern, chance);
  try {
    const text = reader.alternatives();
    return reader.isAtEnd ? text : undefined;
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

class NotUnderstood extends Error {}

class PatternReader {
  readonly #signs: readonly string[];
  readonly #chance: () => number;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, chance: () => number) {
    this.#signs = [...pattern];
    this.#chance = chance;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#signs.length;
  }

  /** One of `a|b|c`. */
  alternatives(): string {
    const texts = [this.#sequence()];
    while (this.#take('|')) texts.push(this.#sequence());
    return texts[Math.floor(this.#chance() * texts.length)] ?? '';
  }

  #sequence(): string {
    let text = '';
    while (!this.isAtEnd && this.#next !== '|' && this.#next !== ')') text += this.#repeated();
    return text;
  }

  #repeated(): string {
    const start = this.#at;
    const first = this.#atom();
    const [least, most] = this.#count();
    if (this.#next === '?') this.#at++;
    const end = this.#at;
    const count = least + Math.floor(this.#chance() * (Math.min(most, least + MORE) - least + 1));
    if (count > 10_000) throw new NotUnderstood();
    let text = count > 0 ? first : '';
    // Read again for each repeat, so that `[a-z]{3}` need not be one letter three times.
    for (let index = 1; index < count; index++) {
      this.#at = start;
      text += this.#atom();
    }
    this.#at = end;
    return text;
  }

  #atom(): string {
    const sign = this.#signs[this.#at++];
    if (sign === '^' || sign === '$') return '';
    if (sign === '.') return this.#one(letters);
    if (sign === '(') return this.#group();
    if (sign === '[') return this.#one(this.#class());
    if (sign === '\\') return this.#escape(false);
    if (sign === undefined || '*+?{'.includes(sign)) throw new NotUnderstood();
    return sign;
  }

  #group(): string {
    if (++this.#depth > 64) throw new NotUnderstood();
    if (this.#take('?')) {
      if (this.#take('<')) {
        if (this.#next === '=' || this.#next === '!') throw new NotUnderstood();
        while (!this.isAtEnd && !this.#take('>')) this.#at++;
      } else if (!this.#take(':')) throw new NotUnderstood();
    }
    const text = this.alternatives();
    if (!this.#take(')')) throw new NotUnderstood();
    this.#depth--;
    return text;
  }

  #escape(inClass: boolean): string {
    const sign = this.#signs[this.#at++] ?? '';
    const known = classes[sign];
    if (known !== undefined) return inClass ? known : this.#one(known);
    const plain = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' }[sign];
    if (plain !== undefined) return plain;
    if (sign === 'b' || sign === 'B') return '';
    if (sign === 'u' || sign === 'x') return this.#code(sign === 'u' ? 4 : 2);
    if (/[\w]/.test(sign) || sign === '') throw new NotUnderstood();
    return sign;
  }

  #code(length: number): string {
    const digits = this.#signs.slice(this.#at, this.#at + length).join('');
    if (!/^[\da-f]+$/i.test(digits) || digits.length < length) throw new NotUnderstood();
    this.#at += length;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  /** The signs of `[…]`, of printable ASCII where it says what must not stand. */
  #class(): string {
    const isNegated = this.#take('^');
    let signs = '';
    while (!this.#take(']')) {
      if (this.isAtEnd) throw new NotUnderstood();
      const from = this.#take('\\') ? this.#escape(true) : (this.#signs[this.#at++] ?? '');
      if (from.length === 1 && this.#next === '-' && this.#signs[this.#at + 1] !== ']') {
        this.#at++;
        const to = this.#take('\\') ? this.#escape(true) : (this.#signs[this.#at++] ?? '');
        signs += range(from, to);
      } else signs += from;
    }
    const all = isNegated ? [...range(' ', '~')].filter((sign) => !signs.includes(sign)).join('') : signs;
    if (all === '') throw new NotUnderstood();
    return all;
  }

  #count(): readonly [least: number, most: number] {
    if (this.#take('*')) return [0, Infinity];
    if (this.#take('+')) return [1, Infinity];
    if (this.#take('?')) return [0, 1];
    if (this.#next !== '{') return [1, 1];
    const found = /^\{(\d+)(?:(,)(\d*))?\}/.exec(this.#signs.slice(this.#at, this.#at + 24).join(''));
    if (!found) throw new NotUnderstood();
    this.#at += found[0].length;
    const least = Number(found[1]);
    if (found[2] === undefined) return [least, least];
    return [least, found[3] ? Number(found[3]) : Infinity];
  }

  get #next(): string | undefined {
    return this.#signs[this.#at];
  }

  #take(sign: string): boolean {
    if (this.#next !== sign) return false;
    this.#at++;
    return true;
  }

  #one(signs: string): string {
    return signs[Math.floor(this.#chance() * signs.length)] ?? '';
  }
}

/**
 * Signs from one to another; at most those of the first plane's first 512, which is more than classes of names need.
 */
function range(from: string, to: string): string {
  const [first, last] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0];
  if (to.length === 0 || last < first) throw new NotUnderstood();
  return String.fromCodePoint(...Array.from({ length: Math.min(last - first + 1, 512) }, (_, index) => first + index));
}
