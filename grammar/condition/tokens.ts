import { Lexer, createToken } from 'chevrotain';
import type { TokenType } from 'chevrotain';

import { QUOTED } from '#grammar/language/quoted.ts';
import { Cursor } from '#grammar/language/cursor.ts';
import { unicode } from '#grammar/language/unicode-pattern.ts';
import { IDENTIFIER } from '#grammar/reference/ast.ts';
import { scanReference } from '#grammar/reference/scan.ts';

export const Blanks = createToken({ name: 'Blanks', pattern: /[ \t\r\n]+/, group: Lexer.SKIPPED, line_breaks: true });
export const Or = createToken({ name: 'Or', pattern: '||' });
export const And = createToken({ name: 'And', pattern: '&&' });
/** Operators of other languages; none of them is one here. */
const WrongOperator = createToken({ name: 'WrongOperator', pattern: /===|!==|<>|=~|!~|=(?!=)|&(?!&)|\|(?!\|)/ });
export const Operator = createToken({ name: 'Operator', pattern: /==|!=|<=|>=|<|>/ });
export const Bang = createToken({ name: 'Bang', pattern: '!' });
export const Not = createToken({
  name: 'Not',
  pattern: unicode(String.raw`not(?![\p{L}\p{M}\p{N}_$.[-])`),
  line_breaks: false,
});
export const Word = createToken({
  name: 'Word',
  pattern: unicode(String.raw`(?:true|false|null)(?![\p{L}\p{M}\p{N}_$.[(-])`),
  line_breaks: false,
});
export const FunctionName = createToken({
  name: 'FunctionName',
  pattern: unicode(String.raw`${IDENTIFIER}(?=[ \t]*\()`),
  line_breaks: false,
});
export const Identifier = createToken({ name: 'Identifier', pattern: unicode(IDENTIFIER), line_breaks: false });
export const Decimal = createToken({
  name: 'Decimal',
  pattern: /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![\w$.])/,
});
/** Behind a dot, where `.0.1` are two steps. */
export const Index = createToken({ name: 'Index', pattern: /(?:0|[1-9][0-9]{0,9})(?![\w$-])/ });
export const Quoted = createToken({ name: 'Quoted', pattern: new RegExp(QUOTED), line_breaks: true });
export const UnclosedText = createToken({ name: 'UnclosedText', pattern: /["'][^]*/, line_breaks: true });
export const Regex = createToken({
  name: 'Regex',
  pattern: /\/(?:[^/\\[\r\n]|\\.|\[(?:[^\]\\\r\n]|\\.)*\])+\/[A-Za-z]*/,
});
export const UnclosedRegex = createToken({ name: 'UnclosedRegex', pattern: /\/[^]*/, line_breaks: true });
export const Reference = createToken({ name: 'Reference', pattern: soundReference, line_breaks: true });
/** Up to what looks like its end: the reference grammar says what is wrong with it. */
export const BrokenReference = createToken({
  name: 'BrokenReference',
  pattern: /\{\{(?:(?!\}\})[^])*(?:\}\})?|\$\{[^}]*\}?/,
  line_breaks: true,
});
export const Dot = createToken({ name: 'Dot', pattern: '.' });
export const Comma = createToken({ name: 'Comma', pattern: ',' });
export const OpenBracket = createToken({ name: 'OpenBracket', pattern: '[' });
export const CloseBracket = createToken({ name: 'CloseBracket', pattern: ']' });
export const OpenBrace = createToken({ name: 'OpenBrace', pattern: '{' });
export const CloseBrace = createToken({ name: 'CloseBrace', pattern: '}' });
export const Colon = createToken({ name: 'Colon', pattern: ':' });
export const OpenParenthesis = createToken({ name: 'OpenParenthesis', pattern: '(' });
export const CloseParenthesis = createToken({ name: 'CloseParenthesis', pattern: ')' });
export const Other = createToken({ name: 'Other', pattern: /[^]/, line_breaks: true });

/** Tokens in order: the first that matches is taken, so longer ones stand before their beginnings. */
export const TOKENS: TokenType[] = [
  Blanks,
  Reference,
  BrokenReference,
  Or,
  And,
  WrongOperator,
  Operator,
  Bang,
  Not,
  Word,
  FunctionName,
  Identifier,
  Decimal,
  Index,
  Quoted,
  UnclosedText,
  Regex,
  UnclosedRegex,
  Dot,
  Comma,
  OpenBracket,
  CloseBracket,
  OpenBrace,
  CloseBrace,
  Colon,
  OpenParenthesis,
  CloseParenthesis,
  Other,
];

function soundReference(text: string, offset: number): [string] | null {
  if (!text.startsWith('{{', offset) && !text.startsWith('${', offset)) return null;
  const cursor = new Cursor(text, offset);
  return scanReference(cursor) === undefined ? null : [text.slice(offset, cursor.at)];
}
