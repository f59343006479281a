import { createToken, Lexer } from 'chevrotain';
import type { IMultiModeLexerDefinition } from 'chevrotain';

/** Blanks between words, with the comment that begins behind them. */
export const Blank = createToken({ name: 'Blank', pattern: /[ \t]+(?:#[^\r\n]*)?/ });
/** A line break behind a backslash, or behind the backquote of PowerShell, is none, also inside of a word. */
const Continued = createToken({
  name: 'Continued',
  pattern: /[\\`]\r?\n/,
  group: Lexer.SKIPPED,
  line_breaks: true,
});
export const LineBreak = createToken({ name: 'LineBreak', pattern: /[\r\n]+(?:#[^\r\n]*)?/, line_breaks: true });
/** Signs that end the command, or send its output elsewhere. */
export const Operator = createToken({ name: 'Operator', pattern: /&&|\|\||\d?>>?|<<?|[|;&()]/ });
export const Single = createToken({ name: 'Single', pattern: /'[^']*'/, line_breaks: true });
/** `$'…'`, with escapes as in C. */
export const Ansi = createToken({ name: 'Ansi', pattern: /\$'(?:[^'\\]|\\[\s\S])*'/, line_breaks: true });
export const Open = createToken({ name: 'Open', pattern: /\$?"/, push_mode: 'quoted' });
export const Close = createToken({ name: 'Close', pattern: /"/, pop_mode: true });
export const Variable = createToken({ name: 'Variable', pattern: /\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})/ });
/** `$(…)` and backquotes: another command. Bounded, so that many without an end are not read to the end each. */
export const Substitution = createToken({
  name: 'Substitution',
  pattern: /\$\([^)]{0,4096}\)|`[^`]*`/,
  line_breaks: true,
});
export const Escape = createToken({ name: 'Escape', pattern: /\\[\s\S]/, line_breaks: true });
export const QuotedEscape = createToken({ name: 'QuotedEscape', pattern: /\\(?:["\\$`]|\r?\n)/, line_breaks: true });
export const Plain = createToken({ name: 'Plain', pattern: /(?:[^\s'"\\$|;&<>()`]|\$(?![A-Za-z_{('"]))+/ });
export const QuotedText = createToken({
  name: 'QuotedText',
  pattern: /(?:[^"\\$`]|\\(?!["\\$`\r\n])|\$(?![A-Za-z_{(]))+/,
  line_breaks: true,
});
/** `${…}` that is more than a name: the shell would compute it. */
export const Computed = createToken({ name: 'Computed', pattern: /\$\{[^}]{0,4096}\}/, line_breaks: true });

export const LEXER: IMultiModeLexerDefinition = {
  modes: {
    words: [Continued, Blank, LineBreak, Ansi, Single, Open, Variable, Substitution, Computed, Operator, Escape, Plain],
    quoted: [Close, QuotedEscape, Variable, Substitution, Computed, QuotedText],
  },
  defaultMode: 'words',
};
