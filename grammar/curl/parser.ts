import { EmbeddedActionsParser, Lexer } from 'chevrotain';
import type { IToken } from 'chevrotain';

import { printLiteral } from '../reference/print.ts';
import { CommandLineError } from './ast.ts';
import type { CommandLine, Word } from './ast.ts';
import * as t from './tokens.ts';

/** A piece of a word: text as it is, or the name of a variable. */
type Piece = { readonly text: string } | { readonly variable: string };

interface Line {
  readonly words: Word[];
  readonly operator: IToken | undefined;
}

/**
 * line = { blank } [ word { blank word } ] { blank | break } [ operator … ] — the part of the shell's grammar in which
 * a single command is written.
 */
class CurlParser extends EmbeddedActionsParser {
  readonly lexer = new Lexer(t.LEXER, { positionTracking: 'onlyOffset' });
  lost: string[] = [];

  constructor() {
    super(t.LEXER, { recoveryEnabled: false, maxLookahead: 1 });
    this.performSelfAnalysis();
  }

  readonly line = this.RULE('line', (): Line => {
    const words: Word[] = [];
    let operator: IToken | undefined;
    this.MANY(() => {
      this.OR([
        { ALT: () => this.CONSUME(t.Blank) },
        { ALT: () => this.CONSUME(t.LineBreak) },
        { ALT: () => words.push(this.SUBRULE(this.word)) },
      ]);
    });
    this.OPTION(() => {
      operator = this.CONSUME(t.Operator);
    });
    return { words, operator };
  });

  readonly word = this.RULE('word', (): Word => {
    const pieces: Piece[] = [];
    let from = -1;
    this.AT_LEAST_ONE(() => {
      const piece = this.SUBRULE(this.piece);
      this.ACTION(() => {
        if (from < 0) from = piece.from;
        pieces.push(...piece.pieces);
      });
    });
    return this.ACTION(() => ({ text: pieces.map(written).join(''), plain: pieces.map(shown).join(''), from }));
  });

  readonly piece = this.RULE('piece', (): { readonly pieces: Piece[]; readonly from: number } =>
    this.OR([
      { ALT: () => this.#of(this.CONSUME(t.Plain), (image) => image) },
      { ALT: () => this.#of(this.CONSUME(t.Single), (image) => image.slice(1, -1)) },
      { ALT: () => this.#of(this.CONSUME(t.Ansi), (image) => readAnsi(image.slice(2, -1))) },
      { ALT: () => this.#of(this.CONSUME(t.Escape), (image) => image.slice(1)) },
      { ALT: () => this.SUBRULE(this.quoted) },
      { ALT: () => this.SUBRULE(this.filled) },
    ]),
  );

  readonly quoted = this.RULE('quoted', (): { readonly pieces: Piece[]; readonly from: number } => {
    const pieces: Piece[] = [];
    const open = this.CONSUME(t.Open);
    this.MANY(() => {
      const part = this.OR([
        { ALT: () => this.#of(this.CONSUME(t.QuotedText), (image) => image) },
        { ALT: () => this.#of(this.CONSUME(t.QuotedEscape), (image) => (/[\r\n]/.test(image) ? '' : image.slice(1))) },
        { ALT: () => this.SUBRULE(this.filled) },
      ]);
      this.ACTION(() => pieces.push(...part.pieces));
    });
    this.CONSUME(t.Close);
    return this.ACTION(() => ({ pieces, from: open.startOffset }));
  });

  readonly filled = this.RULE('filled', (): { readonly pieces: Piece[]; readonly from: number } =>
    this.OR([
      {
        ALT: () => {
          const token = this.CONSUME(t.Variable);
          return { pieces: [{ variable: token.image.replace(/[${}]/g, '') }], from: token.startOffset };
        },
      },
      { ALT: () => this.#computed(this.CONSUME(t.Substitution)) },
      { ALT: () => this.#computed(this.CONSUME(t.Computed)) },
    ]),
  );

  #of(token: IToken, read: (image: string) => string): { readonly pieces: Piece[]; readonly from: number } {
    return { pieces: [{ text: this.ACTION(() => read(token.image)) }], from: token.startOffset };
  }

  #computed(token: IToken): { readonly pieces: Piece[]; readonly from: number } {
    this.ACTION(() => this.lost.push(`the shell would compute \`${token.image}\`; it stands as text`));
    return { pieces: [{ text: token.image }], from: token.startOffset };
  }
}

/** Makes the parser; call it once. */
export function makeCurlGrammar(): (text: string) => CommandLine | CommandLineError {
  const parser = new CurlParser();
  return (text) => {
    const { tokens, errors } = parser.lexer.tokenize(text);
    const [broken] = errors;
    if (broken) return new CommandLineError(unread(text[broken.offset]), broken.offset);
    // The text behind an operator is another command, or a file for the output.
    const end = tokens.findIndex(({ tokenType }) => tokenType === t.Operator);
    parser.lost = [];
    parser.input = end < 0 ? tokens : tokens.slice(0, end + 1);
    const line = parser.line();
    const [error] = parser.errors;
    if (error || line === undefined)
      return new CommandLineError('a quote is not closed', error?.token.startOffset || lastQuote(text));
    const { operator } = line;
    const lost = operator
      ? [
          ...parser.lost,
          `everything from \`${operator.image}\` on is another command of the shell; an address with & has to stand in quotes`,
        ]
      : parser.lost;
    return { words: line.words, lost };
  };
}

function unread(sign: string | undefined): string {
  return sign === "'" || sign === '"' || sign === undefined ? 'a quote is not closed' : `\`${sign}\` cannot stand here`;
}

function lastQuote(text: string): number {
  return Math.max(text.lastIndexOf("'"), text.lastIndexOf('"'), 0);
}

/** Text in an action file: what would be a reference there is escaped, a variable of the shell is one. */
function written(piece: Piece): string {
  if ('variable' in piece) return `\${env:${piece.variable}}`;
  return printLiteral(piece.text);
}

function shown(piece: Piece): string {
  return 'variable' in piece ? `$${piece.variable}` : piece.text;
}

const ansi: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\u001b',
  E: '\u001b',
};

/** The escapes of `$'…'`. */
function readAnsi(text: string): string {
  const bytes = /(?:\\x[0-9a-fA-F]{1,2}|\\[0-7]{1,3})+|\\u[0-9a-fA-F]{1,4}|\\U[0-9a-fA-F]{1,8}|\\[\s\S]/g;
  return text.replace(bytes, (escape) => {
    if (/^\\[uU]/.test(escape)) return String.fromCodePoint(Math.min(Number.parseInt(escape.slice(2), 16), 0x10ffff));
    if (/^\\(?:x|[0-7])/.test(escape)) return readBytes(escape);
    // Before a sign that it does not change the backslash stays.
    return ansi[escape.slice(1)] ?? (/^\\[\\'"?]/.test(escape) ? escape.slice(1) : escape);
  });
}

/** Bytes that stand one behind the other are UTF-8. */
function readBytes(escapes: string): string {
  const bytes = [...escapes.matchAll(/\\x([0-9a-fA-F]{1,2})|\\([0-7]{1,3})/g)].map(([, hex, octal]) =>
    hex === undefined ? Number.parseInt(octal ?? '0', 8) & 255 : Number.parseInt(hex, 16),
  );
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
