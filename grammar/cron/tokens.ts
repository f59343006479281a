import { createToken } from 'chevrotain';
import type { TokenType } from 'chevrotain';

export const Nickname = createToken({ name: 'Nickname', pattern: /@[A-Za-z]*/ });
/** Blanks between fields; at the ends they are trimmed before. */
export const Blanks = createToken({ name: 'Blanks', pattern: /[ \t]+/ });
export const Star = createToken({ name: 'Star', pattern: '*' });
export const Digits = createToken({ name: 'Digits', pattern: /[0-9]+(?![0-9A-Za-z])/ });
export const Name = createToken({ name: 'Name', pattern: /[0-9]*[A-Za-z][0-9A-Za-z]*/ });
export const Comma = createToken({ name: 'Comma', pattern: ',' });
export const Dash = createToken({ name: 'Dash', pattern: '-' });
export const Slash = createToken({ name: 'Slash', pattern: '/' });
export const Other = createToken({ name: 'Other', pattern: /[^]/, line_breaks: true });

export const TOKENS: TokenType[] = [Nickname, Blanks, Star, Digits, Name, Comma, Dash, Slash, Other];
