import { createToken } from 'chevrotain';
import type { TokenType } from 'chevrotain';

// oxlint-disable-next-line no-control-regex -- these are what is looked for
export const Control = createToken({ name: 'Control', pattern: /[\u0000-\u001f\u007f]/, line_breaks: true });
export const Separator = createToken({ name: 'Separator', pattern: '://' });
export const Colon = createToken({ name: 'Colon', pattern: ':' });
export const Slash = createToken({ name: 'Slash', pattern: '/' });
export const At = createToken({ name: 'At', pattern: '@' });
export const Bracketed = createToken({ name: 'Bracketed', pattern: /\[[0-9A-Fa-f:.]+\]/ });
const Bracket = createToken({ name: 'Bracket', pattern: /[[\]]/ });
export const Word = createToken({ name: 'Word', pattern: /[^:/@[\]\u0000-\u001f\u007f]+/ });

export const TOKENS: TokenType[] = [Control, Separator, Colon, Slash, At, Bracketed, Bracket, Word];
