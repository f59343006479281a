import { Lexer, createToken } from 'chevrotain';
import type { TokenType } from 'chevrotain';

import { QUOTED } from '#grammar/language/quoted.ts';
import { unicode } from '#grammar/language/unicode-pattern.ts';

import { IDENTIFIER } from './ast.ts';

/**
 * Modes: where the mark stands; the head behind `${`; its name with suffixes; its date format; and what stands in `{{
 * }}`. Each ends with a token for any other character, so that the lexer has no errors of its own: the parser says what
 * is wrong.
 */
export const OpenDollar = createToken({ name: 'OpenDollar', pattern: '${', push_mode: 'head' });
export const OpenBraces = createToken({ name: 'OpenBraces', pattern: '{{', push_mode: 'braces' });
/** Text after the reference. */
export const Rest = createToken({ name: 'Rest', pattern: /[^]+/, line_breaks: true });

export const CloseDollar = createToken({ name: 'CloseDollar', pattern: '}', pop_mode: true });
/** A kind with a name behind it, a format, or nothing. */
export const NamedKind = createToken({
  name: 'NamedKind',
  pattern: /(?:ENV|ROW|MATRIX|event)\.|(?:env|file):/,
  pop_mode: true,
  push_mode: 'name',
});
export const RunKind = createToken({ name: 'RunKind', pattern: 'run.' });
export const FormatKind = createToken({ name: 'FormatKind', pattern: 'date:', pop_mode: true, push_mode: 'format' });
export const BareKind = createToken({ name: 'BareKind', pattern: /(?:date|uuid(?::v4)?|cwd|root|here|id|tmp)(?=\})/ });
/** Up to the closing brace, so that what follows a wrong kind is not reported as well. */
export const UnknownKind = createToken({ name: 'UnknownKind', pattern: /[^{}]+/, line_breaks: true });

export const Name = createToken({ name: 'Name', pattern: /[^:{}\s](?:[^:{}\r\n]*[^:{}\s])?/ });
export const Conversion = createToken({ name: 'Conversion', pattern: /:[A-Za-z]+/ });
export const Default = createToken({ name: 'Default', pattern: /:-[^{}]*/, line_breaks: true });
export const Format = createToken({ name: 'Format', pattern: /[^{}]+/, line_breaks: true });

export const Blanks = createToken({ name: 'Blanks', pattern: /[ \t\r\n]+/, group: Lexer.SKIPPED, line_breaks: true });
export const CloseBraces = createToken({ name: 'CloseBraces', pattern: '}}', pop_mode: true });
export const Identifier = createToken({ name: 'Identifier', pattern: unicode(IDENTIFIER), line_breaks: false });
export const Index = createToken({
  name: 'Index',
  pattern: unicode(String.raw`(?:0|[1-9][0-9]{0,9})(?![\p{L}\p{N}_$-])`),
  line_breaks: false,
});
export const Dot = createToken({ name: 'Dot', pattern: '.' });
export const OpenBracket = createToken({ name: 'OpenBracket', pattern: '[' });
export const CloseBracket = createToken({ name: 'CloseBracket', pattern: ']' });
export const Quoted = createToken({ name: 'Quoted', pattern: new RegExp(QUOTED), line_breaks: true });

/** A brace inside of a reference: it was not closed, or references are nested. */
export const NestedMark = createToken({ name: 'NestedMark', pattern: /\$\{|\{\{?/ });
export const Other = createToken({ name: 'Other', pattern: /[^]/, line_breaks: true });

const suffixes: TokenType[] = [Default, Conversion];

export const MODES = {
  defaultMode: 'mark',
  modes: {
    mark: [OpenDollar, OpenBraces, Rest],
    head: [CloseDollar, NamedKind, RunKind, FormatKind, BareKind, UnknownKind, NestedMark, Other],
    name: [CloseDollar, ...suffixes, Name, NestedMark, Other],
    format: [CloseDollar, Format, NestedMark, Other],
    braces: [
      CloseBraces,
      Blanks,
      ...suffixes,
      Identifier,
      Index,
      Dot,
      OpenBracket,
      CloseBracket,
      Quoted,
      NestedMark,
      Other,
    ],
  },
};
