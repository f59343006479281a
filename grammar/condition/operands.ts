import type { IToken } from 'chevrotain';

import * as t from './tokens.ts';

/** A value as it is written in a condition. */
export interface Operand {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const OF_PATHS = new Set([t.Identifier, t.Word, t.Dot, t.Index, t.Decimal, t.OpenBracket, t.CloseBracket, t.Quoted]);
const WHOLE = new Set([t.Quoted, t.Regex, t.Reference, t.Decimal, t.Index, t.Word]);

/** The value that ends right before a token. */
export function operandBefore(text: string, tokens: readonly IToken[], at: number): Operand | undefined {
  let first = at;
  while (first > 0 && isJoined(tokens[first - 1], first === at ? undefined : tokens[first])) first -= 1;
  return between(text, tokens[first], tokens[at - 1]);
}

/** The value that begins right behind a token. */
export function operandBehind(text: string, tokens: readonly IToken[], at: number): Operand | undefined {
  const first = tokens[at + 1];
  if (first === undefined) return undefined;
  if (first.tokenType !== t.Identifier) return WHOLE.has(first.tokenType) ? between(text, first, first) : undefined;
  let last = at + 1;
  for (let next = tokens[last + 1]; next !== undefined && isJoined(tokens[last], next); next = tokens[last + 1])
    last += 1;
  return between(text, first, tokens[last]);
}

/** Whether a token belongs to a path, and stands directly before the next one of it. */
function isJoined(token: IToken | undefined, next: IToken | undefined): boolean {
  if (token === undefined) return false;
  if (next === undefined) return OF_PATHS.has(token.tokenType) || WHOLE.has(token.tokenType);
  return OF_PATHS.has(token.tokenType) && OF_PATHS.has(next.tokenType) && endOf(token) === next.startOffset;
}

function between(text: string, first: IToken | undefined, last: IToken | undefined): Operand | undefined {
  if (first === undefined || last === undefined || last.startOffset < first.startOffset) return undefined;
  const [from, to] = [first.startOffset, endOf(last)];
  return { from, to, text: text.slice(from, to) };
}

export function endOf({ startOffset, image }: IToken): number {
  return startOffset + image.length;
}
