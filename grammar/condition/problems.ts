import type { IToken } from 'chevrotain';

import type { ConditionProblem } from './ast.ts';
import * as t from './tokens.ts';

const MEANT: Readonly<Record<string, string>> = {
  '=': '==',
  '===': '==',
  '!==': '!=',
  '<>': '!=',
  '=~': 'matches(text, /pattern/)',
  '&': '&&',
  '|': '||',
  and: '&&',
  or: '||',
  is: '==',
};

/** What a token that the grammar did not expect means; undefined: the text ends too early. */
export function unexpectedToken(text: string, tokens: readonly IToken[], token: IToken | undefined): ConditionProblem {
  const unclosed = tokens.find(({ tokenType }) => tokenType === t.UnclosedText || tokenType === t.UnclosedRegex);
  if (unclosed !== undefined && (token === undefined || unclosed.startOffset <= token.startOffset)) {
    const from = unclosed.startOffset;
    return unclosed.tokenType === t.UnclosedText
      ? { key: 'text-not-closed', from, to: from + 1 }
      : { key: 'bad-regex', from, to: text.length, found: unclosed.image };
  }
  if (token === undefined)
    return tokens.length === 0
      ? { key: 'empty', from: 0, to: text.length }
      : { key: 'unexpected-token', from: text.trimEnd().length, to: text.length, expected: expectedAtEnd(tokens) };
  const { image, startOffset: from } = token;
  const range = { from, to: from + image.length };
  const meant = Object.hasOwn(MEANT, image) ? MEANT[image] : undefined;
  if (meant !== undefined && (token.tokenType !== t.Identifier || from > 0))
    return { key: 'bad-operator', ...range, found: image, nearest: meant };
  return { key: 'unexpected-token', ...range, found: image };
}

function expectedAtEnd(tokens: readonly IToken[]): string {
  const open = tokens.filter(({ tokenType }) => tokenType === t.OpenParenthesis).length;
  const closed = tokens.filter(({ tokenType }) => tokenType === t.CloseParenthesis).length;
  const last = tokens.at(-1)?.tokenType;
  if (last === t.Dot) return 'a key';
  if (last === t.OpenBracket) return 'a key or an index';
  if (
    tokens.findLast(({ tokenType }) => tokenType === t.OpenBracket || tokenType === t.CloseBracket)?.tokenType ===
    t.OpenBracket
  )
    return '"]"';
  const wantsOperand =
    last === t.Operator ||
    last === t.And ||
    last === t.Or ||
    last === t.Bang ||
    last === t.Not ||
    last === t.OpenParenthesis ||
    last === t.Comma;
  return open > closed && !wantsOperand ? '")"' : 'a value';
}
