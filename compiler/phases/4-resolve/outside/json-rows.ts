import type { Json } from '#schemas/types/json.ts';

/** A row of a dataset: its value, and its line, or in a list its number; both from 1. */
export interface JsonRow {
  readonly value: Json;
  readonly line: number;
}

/** Longest text of one row: what is longer is not looked at. */
const LONGEST = 16 * 1024 * 1024;

/** The rows of JSON Lines; blank lines are none. Throws where one is no JSON. */
export async function* rowsOfLines(pieces: AsyncIterable<string>): AsyncGenerator<JsonRow> {
  let rest = '';
  let line = 0;
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST) throw new RangeError('a line is too long');
    for (const text of lines) {
      line += 1;
      if (text.trim() !== '') yield { value: JSON.parse(text) as Json, line };
    }
  }
  if (rest.trim() !== '') yield { value: JSON.parse(rest) as Json, line: line + 1 };
}

/** The elements of a JSON list, one by one. Throws where the text is no list. */
export async function* rowsOfList(pieces: AsyncIterable<string>): AsyncGenerator<JsonRow> {
  const items = new ListItems();
  let line = 0;
  for await (const piece of pieces)
    for (const text of items.push(piece)) {
      line += 1;
      yield { value: JSON.parse(text) as Json, line };
    }
  items.end();
}

/** Splits the text of a JSON list into those of its elements. */
class ListItems {
  /** Number of brackets and braces that are open. */
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #item = '';
  #count = 0;
  #hasBegun = false;
  #hasEnded = false;

  /** The elements that have ended with the next piece. */
  *push(text: string): Generator<string> {
    let from = 0;
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at] ?? '';
      if (this.#isInText) this.#inText(character);
      else if (this.#depth === 0) {
        this.#outside(character);
        from = at + 1;
      } else if (character === '"') this.#isInText = true;
      else if (character === '[' || character === '{') this.#depth += 1;
      else if (character === ']' || character === '}') this.#depth -= 1;
      const isEnd = this.#depth === 0 && this.#hasBegun && !this.#hasEnded;
      if (isEnd && character !== ']') throw new SyntaxError('a brace ends the list');
      if (!isEnd && (this.#depth !== 1 || this.#isInText || character !== ',')) continue;
      const item = this.#item + text.slice(from, at);
      this.#item = '';
      from = at + 1;
      if (isEnd) this.#hasEnded = true;
      // An empty list has no elements; a comma promises one.
      if (isEnd && this.#count === 0 && item.trim() === '') continue;
      this.#count += 1;
      yield item;
    }
    if (this.#depth > 0) this.#item += text.slice(from);
    if (this.#item.length > LONGEST) throw new RangeError('an element is too long');
  }

  end(): void {
    if (!this.#hasEnded) throw new SyntaxError('the list does not end');
  }

  #inText(character: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (character === '\\') this.#isEscaped = true;
    else if (character === '"') this.#isInText = false;
  }

  #outside(character: string): void {
    if (/\s/.test(character)) return;
    if (character !== '[' || this.#hasBegun) throw new SyntaxError('it is no list');
    this.#hasBegun = true;
    this.#depth = 1;
  }
}
