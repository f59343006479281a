import { EOF, EmbeddedActionsParser, Lexer } from 'chevrotain';
import type { IToken } from 'chevrotain';

import { unquote } from '#grammar/language/quoted.ts';

import { MOST_CHARACTERS, MOST_DEPTH, MOST_OPERATORS } from './ast.ts';
import type { ParsedTagFilter, TagFilter, TagFilterProblem } from './ast.ts';
import * as t from './tokens.ts';

/** `,` (or `|`, `or`) binds least, then `&` (or `and`), then `!` (or `not`). */
class TagFilterParser extends EmbeddedActionsParser {
  readonly lexer = new Lexer(t.TOKENS, { positionTracking: 'onlyOffset' });

  constructor() {
    super(t.TOKENS, { recoveryEnabled: false, maxLookahead: 1 });
    this.performSelfAnalysis();
  }

  readonly filter = this.RULE('filter', (): TagFilter => {
    let left = this.SUBRULE(this.all);
    this.MANY(() => {
      this.CONSUME(t.Or);
      const right = this.SUBRULE1(this.all);
      left = { kind: 'or', left, right };
    });
    return left;
  });

  private readonly all = this.RULE('all', (): TagFilter => {
    let left = this.SUBRULE(this.one);
    this.MANY(() => {
      this.CONSUME(t.And);
      const right = this.SUBRULE1(this.one);
      left = { kind: 'and', left, right };
    });
    return left;
  });

  private readonly one: (index?: number) => TagFilter = this.RULE('one', (): TagFilter => {
    return this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Not);
          return { kind: 'not', operand: this.SUBRULE(this.one) } as const;
        },
      },
      {
        ALT: () => {
          this.CONSUME(t.Open);
          const inner = this.SUBRULE(this.filter);
          this.CONSUME(t.Close);
          return inner;
        },
      },
      { ALT: () => ({ kind: 'tag', name: this.CONSUME(t.Tag).image }) as const },
      { ALT: () => ({ kind: 'tag', name: unquote(this.CONSUME(t.Quoted).image || '""') }) as const },
    ]);
  });
}

/** Makes the parser; call it once. */
export function makeTagFilterGrammar(): (text: string) => ParsedTagFilter {
  const parser = new TagFilterParser();
  return (text) => {
    if (text.length > MOST_CHARACTERS) return { problems: [tooLarge(0, text.length)] };
    const { tokens } = parser.lexer.tokenize(text);
    const early = earlyProblem(text, tokens);
    if (early !== undefined) return { problems: [early] };
    parser.input = tokens;
    const filter = parser.filter();
    const [error] = parser.errors;
    return error === undefined ? { filter, problems: [] } : { problems: [syntaxProblem(text, error.token)] };
  };
}

function earlyProblem(text: string, tokens: readonly IToken[]): TagFilterProblem | undefined {
  if (tokens.length === 0) return { key: 'empty', from: 0, to: text.length };
  const unclosed = tokens.find(({ tokenType }) => tokenType === t.UnclosedText);
  if (unclosed !== undefined)
    return { key: 'text-not-closed', from: unclosed.startOffset, to: unclosed.startOffset + 1 };
  let depth = 0;
  let operators = 0;
  for (const { tokenType, startOffset } of tokens) {
    if (tokenType === t.Open || tokenType === t.Not) depth += 1;
    else if (tokenType === t.Tag || tokenType === t.Close) depth = Math.max(0, depth - 1);
    if (depth > MOST_DEPTH) return tooLarge(startOffset, startOffset + 1);
    // A chain of operators becomes a tree that is as deep.
    if (tokenType === t.Or || tokenType === t.And) operators += 1;
    if (operators > MOST_OPERATORS) return tooLarge(startOffset, startOffset + 1);
  }
  return undefined;
}

const AT_MOST = `${MOST_DEPTH} parentheses and negations inside one another, ${MOST_OPERATORS} operators and ${MOST_CHARACTERS} characters`;

function tooLarge(from: number, to: number): TagFilterProblem {
  return { key: 'too-deep', from, to, expected: AT_MOST };
}

function syntaxProblem(text: string, token: IToken): TagFilterProblem {
  if (token.tokenType === EOF) return { key: 'incomplete', from: text.trimEnd().length, to: text.length };
  return { key: 'unexpected', from: token.startOffset, to: token.startOffset + token.image.length, found: token.image };
}
