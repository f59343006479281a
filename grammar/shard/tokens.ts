import { Lexer, createToken } from 'chevrotain';
import type { TokenType } from 'chevrotain';

export const Blanks = createToken({ name: 'Blanks', pattern: /\s+/, group: Lexer.SKIPPED, line_breaks: true });
export const Digits = createToken({ name: 'Digits', pattern: /[0-9]+/ });
export const Slash = createToken({ name: 'Slash', pattern: '/' });
export const Other = createToken({ name: 'Other', pattern: /[^\s0-9/]+/ });

export const TOKENS: TokenType[] = [Blanks, Digits, Slash, Other];
