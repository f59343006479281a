import { Lexer, createToken } from 'chevrotain';
import type { TokenType } from 'chevrotain';

import { QUOTED } from '#grammar/language/quoted.ts';

import { TAG } from './ast.ts';

export const Blanks = createToken({ name: 'Blanks', pattern: /\s+/, group: Lexer.SKIPPED, line_breaks: true });
const END = String.raw`(?![^\s,|&!()"'])`;
export const Or = createToken({ name: 'Or', pattern: new RegExp(`,|\\|\\|?|or${END}`) });
export const And = createToken({ name: 'And', pattern: new RegExp(`&&?|and${END}`) });
export const Not = createToken({ name: 'Not', pattern: new RegExp(`!|not${END}`) });
export const Open = createToken({ name: 'Open', pattern: '(' });
export const Close = createToken({ name: 'Close', pattern: ')' });
export const Quoted = createToken({ name: 'Quoted', pattern: new RegExp(QUOTED), line_breaks: true });
export const UnclosedText = createToken({ name: 'UnclosedText', pattern: /["'][^]*/, line_breaks: true });
export const Tag = createToken({ name: 'Tag', pattern: new RegExp(TAG) });

export const TOKENS: TokenType[] = [Blanks, Or, And, Not, Open, Close, Quoted, UnclosedText, Tag];
