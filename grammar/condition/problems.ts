import type { IToken, TokenType } from 'chevrotain';

import { quote } from '#grammar/language/quoted.ts';

import type { ConditionProblem } from './ast.ts';
import { endOf } from './operands.ts';
import { writtenAsCall } from './other-calls.ts';
import * as t from './tokens.ts';

const MEANT: Readonly<Record<string, string>> = {
  '=': '==',
  '===': '==',
  '!==': '!=',
  '<>': '!=',
  '&': '&&',
  '|': '||',
  and: '&&',
  or: '||',
  is: '==',
};
const CURLY = /[\u2018-\u201f\u00ab\u00bb]/;

/** A condition that stands in the braces of other tools, `${{ … }}`, or in those of a reference: `{{ n == 1 }}`. */
export function inBraces(text: string): ConditionProblem | undefined {
  const [, mark, inside] = /^\s*(\$?)\{\{([^{}]*)\}\}\s*$/.exec(text) ?? [];
  if (mark === undefined || inside === undefined || !(mark === '$' || /[=!<>&|(]/.test(inside))) return undefined;
  return { key: 'in-braces', from: 0, to: text.length, found: `${mark}{{ }}`, nearest: inside.trim() };
}

/** Meaning of a token that the grammar did not expect; undefined: the text ends too early. */
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
  if (image.length === 1 && CURLY.test(image)) return curlyQuotes(text, from);
  const at = tokens.indexOf(token);
  const meantOtherwise = bareReference(text, from) ?? writtenAsCall(text, tokens, at) ?? isNot(tokens, at);
  if (meantOtherwise !== undefined) return meantOtherwise;
  const curly = tokens.find((each) => each.startOffset > from && each.image.length === 1 && CURLY.test(each.image));
  if (curly !== undefined) return curlyQuotes(text, curly.startOffset);
  const meant = Object.hasOwn(MEANT, image) ? MEANT[image] : undefined;
  if (meant !== undefined && (token.tokenType !== t.Identifier || from > 0))
    return { key: 'bad-operator', ...range, found: image, nearest: meant };
  // Keys of objects are texts.
  const isKey = token.tokenType === t.Decimal && tokens[at + 1]?.tokenType === t.Colon;
  return { key: 'unexpected-token', ...range, found: image, ...(isKey ? { nearest: `'${image}'` } : {}) };
}

/** `“b”`, as text programs turn quotation marks; the whole of it where it is closed. */
function curlyQuotes(text: string, from: number): ConditionProblem {
  const length = text.slice(from + 1).search(CURLY);
  const found = text.slice(from, length < 0 ? from + 1 : from + length + 2);
  const meant = length < 0 ? {} : { nearest: quote(found.slice(1, -1)) };
  return { key: 'curly-quotes', from, to: from + found.length, found, ...meant };
}

const BARE = /(?<![\p{L}\p{N}_.${])\$?(?:(?:env|file|date):[\w.:%+/-]+|(?<=\$)(?:ENV|ROW|MATRIX)\.[\w.:-]+)/gu;
const SHELL = /(?<![\p{L}\p{N}_.${])\$[A-Z_][A-Z\d_]*(?![\w.{])/gu;

/** `env:CI`, `$ENV.CI`, or `$CI` as shells have it: a reference without its braces. */
function bareReference(text: string, at: number): ConditionProblem | undefined {
  for (const [form, begin] of [
    [BARE, '${'],
    [SHELL, '${env:'],
  ] as const)
    for (const { 0: found, index: from } of text.matchAll(form)) {
      const to = from + found.length;
      if (from <= at && at < to)
        return {
          key: 'unexpected-token',
          from,
          to,
          found,
          nearest: `${begin}${found.replace('$', '')}}`,
        };
    }
  return undefined;
}

/** `x is not null`, as other languages ask whether two things differ. */
function isNot(tokens: readonly IToken[], at: number): ConditionProblem | undefined {
  const [is, not] = [tokens[at], tokens[at + 1]];
  if (at === 0 || is?.image !== 'is' || not?.tokenType !== t.Not) return undefined;
  return { key: 'bad-operator', from: is.startOffset, to: endOf(not), found: 'is not', nearest: '!=' };
}

function expectedAtEnd(tokens: readonly IToken[]): string {
  const last = tokens.at(-1)?.tokenType;
  if (last === t.Dot) return 'a key';
  if (last === t.OpenBrace) return 'a key or "}"';
  if (last === t.OpenBracket) return isOfPath(tokens) ? 'a key or an index' : 'a value or "]"';
  const open = innermostOpen(tokens);
  if (last === t.Comma && open === t.OpenBrace) return 'a key';
  const wantsOperand =
    last === t.Operator ||
    last === t.And ||
    last === t.Or ||
    last === t.Bang ||
    last === t.Not ||
    last === t.OpenParenthesis ||
    last === t.Colon ||
    last === t.Comma;
  const closing = open && CLOSING.get(open);
  return wantsOperand || closing === undefined ? 'a value' : closing;
}

const CLOSING: ReadonlyMap<TokenType, string> = new Map([
  [t.OpenParenthesis, '")"'],
  [t.OpenBracket, '"]"'],
  [t.OpenBrace, '"}"'],
]);

/** Whether the bracket at the end leads into a value, and begins no list. */
function isOfPath(tokens: readonly IToken[]): boolean {
  const before = tokens.at(-2)?.tokenType;
  return before === t.Identifier || before === t.CloseBracket || before === t.Index;
}

/** The bracket that was opened last and is still open. */
function innermostOpen(tokens: readonly IToken[]): TokenType | undefined {
  const open: TokenType[] = [];
  for (const { tokenType } of tokens)
    if (CLOSING.has(tokenType)) open.push(tokenType);
    else if (tokenType === t.CloseParenthesis || tokenType === t.CloseBracket || tokenType === t.CloseBrace) open.pop();
  return open.at(-1);
}
