export interface Replaced {
  /** Text in pieces; the count is whole once they have all been taken. */
  readonly text: AsyncIterable<string>;
  count(): number;
}

export interface Literal {
  readonly find: string;
  readonly replacement: string;
  readonly limit: number;
}

/** Replaces a text wherever it stands, also across pieces, in memory of one piece. */
export function replaceLiteral(text: AsyncIterable<string>, { find, replacement, limit }: Literal): Replaced {
  let count = 0;
  async function* pieces(): AsyncGenerator<string, void> {
    let rest = '';
    for await (const piece of text) {
      const whole = rest + piece;
      const done: string[] = [];
      let from = 0;
      for (let at = whole.indexOf(find); at >= 0 && count < limit; at = whole.indexOf(find, from)) {
        done.push(whole.slice(from, at), replacement);
        from = at + find.length;
        count += 1;
      }
      const end = count < limit ? Math.max(from, keptFrom(whole, find.length - 1)) : whole.length;
      yield done.join('') + whole.slice(from, end);
      rest = whole.slice(end);
    }
    yield rest;
  }
  return { text: pieces(), count: () => count };
}

/** Index from which the text is kept, since a hit may begin there; never between the two halves of a character. */
function keptFrom(text: string, length: number): number {
  const at = Math.max(0, text.length - length);
  const before = text.charCodeAt(at - 1);
  return at > 0 && before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}
