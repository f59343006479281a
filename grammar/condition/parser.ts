import { EOF, EmbeddedActionsParser, Lexer } from 'chevrotain';
import type { IToken, TokenType } from 'chevrotain';

import type { CompareOperator, ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Ref } from '#schemas/types/reference.ts';
import type { Range } from '#grammar/language/problem.ts';
import { unquote } from '#grammar/language/quoted.ts';
import type { ReadReference } from '#grammar/reference/parser.ts';
import { readWithGrammar, shifted } from '#grammar/reference/read-broken.ts';
import { Cursor } from '#grammar/language/cursor.ts';
import { scanReference } from '#grammar/reference/scan.ts';

import { MOST_CHARACTERS, MOST_DEPTH, MOST_OPERATORS } from './ast.ts';
import type { ConditionProblem, ConditionReference, ParsedCondition } from './ast.ts';
import { ConditionChecks } from './checks.ts';
import type { ConditionPart } from './checks.ts';
import { inBraces, unexpectedToken } from './problems.ts';
import * as t from './tokens.ts';

/**
 * The grammar of conditions (`compiler/language/conditions.md`): `||` binds least, then `&&`, then `!`, then a
 * comparison. Rules yield parts of the tree with their ranges. It stops at the first thing that is wrong: a condition
 * is short, and what follows an error in one mostly comes from it.
 */
class ConditionParser extends EmbeddedActionsParser {
  readonly lexer = new Lexer(t.TOKENS, { ensureOptimizations: false, positionTracking: 'onlyOffset' });
  checks = new ConditionChecks();
  refs: ConditionReference[] = [];

  constructor() {
    super(t.TOKENS, { recoveryEnabled: false, maxLookahead: 1 });
    this.performSelfAnalysis();
  }

  override reset(): void {
    super.reset();
    this.checks = new ConditionChecks();
    this.refs = [];
  }

  readonly condition = this.RULE('condition', (): ConditionPart | undefined => {
    const whole = this.SUBRULE(this.disjunction);
    return this.ACTION(() => this.checks.logical(whole));
  });

  private readonly disjunction = this.RULE('disjunction', (): ConditionPart | undefined => {
    let left = this.SUBRULE(this.conjunction);
    this.MANY(() => {
      this.CONSUME(t.Or);
      const right = this.SUBRULE1(this.conjunction);
      this.ACTION(() => (left = this.checks.join('or', left, right)));
    });
    return left;
  });

  private readonly conjunction = this.RULE('conjunction', (): ConditionPart | undefined => {
    let left = this.SUBRULE(this.negation);
    this.MANY(() => {
      this.CONSUME(t.And);
      const right = this.SUBRULE1(this.negation);
      this.ACTION(() => (left = this.checks.join('and', left, right)));
    });
    return left;
  });

  private readonly negation: (index?: number) => ConditionPart | undefined = this.RULE(
    'negation',
    (): ConditionPart | undefined => {
      return this.OR([
        {
          ALT: () => {
            const mark = this.OR1([{ ALT: () => this.CONSUME(t.Bang) }, { ALT: () => this.CONSUME(t.Not) }]);
            const operand = this.SUBRULE(this.negation);
            return this.ACTION(() => this.checks.negate(mark.startOffset, operand));
          },
        },
        { ALT: () => this.SUBRULE(this.comparison) },
      ]);
    },
  );

  private readonly comparison = this.RULE('comparison', (): ConditionPart | undefined => {
    let left = this.SUBRULE(this.operand);
    this.MANY(() => {
      const operator = this.CONSUME(t.Operator);
      const right = this.SUBRULE1(this.operand);
      this.ACTION(
        () => (left = this.checks.compare(operator.image as CompareOperator, operator.startOffset, left, right)),
      );
    });
    return left;
  });

  private readonly operand: (index?: number) => ConditionPart | undefined = this.RULE('operand', () => {
    return this.OR([
      { ALT: () => this.literal(this.CONSUME(t.Word)) },
      { ALT: () => this.literal(this.CONSUME(t.Decimal)) },
      { ALT: () => this.literal(this.CONSUME(t.Index)) },
      { ALT: () => this.literal(this.CONSUME(t.Quoted)) },
      { ALT: () => this.regex(this.CONSUME(t.Regex)) },
      { ALT: () => this.reference(this.CONSUME(t.Reference)) },
      { ALT: () => this.SUBRULE(this.path) },
      { ALT: () => this.SUBRULE(this.call) },
      { ALT: () => this.SUBRULE(this.group) },
      { ALT: () => this.SUBRULE(this.list) },
      { ALT: () => this.SUBRULE(this.object) },
    ]);
  });

  private readonly group = this.RULE('group', (): ConditionPart | undefined => {
    const open = this.CONSUME(t.OpenParenthesis);
    const inner = this.SUBRULE(this.disjunction);
    const close = this.CONSUME(t.CloseParenthesis);
    return this.ACTION(() =>
      inner === undefined ? undefined : { tree: inner.tree, range: [open.startOffset, end(close)], isGroup: true },
    );
  });

  private readonly list = this.RULE('list', (): ConditionPart | undefined => {
    const open = this.CONSUME(t.OpenBracket);
    const items: (ConditionPart | undefined)[] = [];
    this.MANY_SEP({ SEP: t.Comma, DEF: () => items.push(this.SUBRULE(this.operand)) });
    const close = this.CONSUME(t.CloseBracket);
    return this.ACTION(() => this.checks.list([open.startOffset, end(close)], items));
  });

  private readonly object = this.RULE('object', (): ConditionPart | undefined => {
    const open = this.CONSUME(t.OpenBrace);
    const entries: ConditionEntry[] = [];
    this.MANY_SEP({
      SEP: t.Comma,
      DEF: () => {
        const key = this.OR([
          { ALT: () => this.CONSUME(t.Quoted) },
          { ALT: () => this.CONSUME(t.Identifier) },
          { ALT: () => this.CONSUME(t.Word) },
          { ALT: () => this.CONSUME(t.Not) },
        ]);
        this.CONSUME(t.Colon);
        entries.push({ key, value: this.SUBRULE(this.operand) });
      },
    });
    const close = this.CONSUME(t.CloseBrace);
    return this.ACTION(() =>
      this.checks.object(
        [open.startOffset, end(close)],
        entries.map(({ key, value }) => ({
          key: key.tokenType === t.Quoted ? unquote(key.image) : key.image,
          at: [key.startOffset, end(key)],
          value,
        })),
      ),
    );
  });

  private readonly call = this.RULE('call', (): ConditionPart | undefined => {
    const name = this.CONSUME(t.FunctionName);
    this.CONSUME(t.OpenParenthesis);
    const args: (ConditionPart | undefined)[] = [];
    this.MANY_SEP({ SEP: t.Comma, DEF: () => args.push(this.SUBRULE(this.disjunction)) });
    const close = this.CONSUME(t.CloseParenthesis);
    return this.ACTION(() => this.checks.call(name.image, name.startOffset, end(close), args));
  });

  private readonly path = this.RULE('path', (): ConditionPart | undefined => {
    const first = this.CONSUME(t.Identifier);
    const path: (string | number)[] = [];
    let last = first;
    this.MANY(() => {
      this.OR([
        {
          ALT: () => {
            this.CONSUME(t.Dot);
            last = this.OR1([
              { ALT: () => this.CONSUME1(t.Identifier) },
              { ALT: () => this.CONSUME1(t.Word) },
              { ALT: () => this.CONSUME1(t.Not) },
              { ALT: () => this.CONSUME(t.Index) },
              { ALT: () => this.CONSUME(t.Decimal) },
            ]);
            path.push(...steps(last));
          },
        },
        {
          ALT: () => {
            this.CONSUME(t.OpenBracket);
            const step = this.OR2([
              { ALT: () => this.CONSUME2(t.Decimal) },
              { ALT: () => this.CONSUME2(t.Index) },
              { ALT: () => this.CONSUME(t.Quoted) },
            ]);
            path.push(...steps(step));
            last = this.CONSUME(t.CloseBracket);
          },
        },
      ]);
    });
    return this.ACTION(() => {
      if (!this.checks.path(first.startOffset, end(last))) return undefined;
      return this.referencePart(
        { ns: 'var', name: first.image, ...(path.length === 0 ? {} : { path }) },
        first.startOffset,
        end(last),
      );
    });
  });

  private literal(token: IToken): ConditionPart | undefined {
    return this.ACTION(() => this.checks.literal(token.image, token.startOffset, literalValue(token)));
  }

  private regex(token: IToken): ConditionPart | undefined {
    return this.ACTION(() => this.checks.regex(token.image, token.startOffset));
  }

  private reference(token: IToken): ConditionPart | undefined {
    return this.ACTION(() => {
      const ref = scanReference(new Cursor(token.image));
      return ref === undefined ? undefined : this.referencePart(ref, token.startOffset, end(token));
    });
  }

  private referencePart(ref: Ref, from: number, to: number): ConditionPart {
    this.refs.push({ ref, range: [from, to] });
    return { tree: { kind: 'reference', ref }, range: [from, to] };
  }
}

/** A key of an object as it is written, with its value. */
interface ConditionEntry {
  readonly key: IToken;
  readonly value: ConditionPart | undefined;
}

function end(token: IToken): number {
  return token.startOffset + token.image.length;
}

function literalValue({ tokenType, image }: IToken): (ConditionTree & { readonly kind: 'literal' })['value'] {
  if (tokenType === t.Quoted) return unquote(image);
  if (tokenType === t.Word) return image === 'null' ? null : image === 'true';
  return Number(image);
}

/** A step of a path; `.0.1` may come as one decimal, which is two. */
function steps({ tokenType, image }: IToken): readonly (string | number)[] {
  if (tokenType === t.Quoted) return [unquote(image)];
  return tokenType === t.Decimal || tokenType === t.Index ? image.split('.').map(Number) : [image];
}

/** Makes the parser; call it once. `reference` is the grammar that says what is wrong with a broken reference. */
export function makeConditionGrammar(reference: (text: string) => ReadReference): (text: string) => ParsedCondition {
  const parser = new ConditionParser();
  return (text) => {
    if (text.length > MOST_CHARACTERS) return refused('too-large', 0, text.length, `${MOST_CHARACTERS} characters`);
    const { tokens } = parser.lexer.tokenize(text);
    const deep = tooDeep(tokens);
    if (deep !== undefined) return refused('too-deep', deep.startOffset, end(deep), String(MOST_DEPTH));
    const surplus = tokens.filter(({ tokenType }) => CHAINING.has(tokenType))[MOST_OPERATORS];
    if (surplus !== undefined)
      return refused('too-large', surplus.startOffset, end(surplus), `${MOST_OPERATORS} operators`);
    parser.input = tokens;
    const whole = parser.condition();
    const broken = tokens.filter(({ tokenType }) => tokenType === t.BrokenReference);
    const wrapped = broken.length === 1 ? inBraces(text) : undefined;
    if (wrapped !== undefined) return { refs: [], problems: [wrapped] };
    if (broken.length > 0)
      return { refs: parser.refs, problems: broken.flatMap((token) => referenceProblems(token, reference)) };
    const [error] = parser.errors;
    if (error !== undefined) {
      const isEnd = error.token.tokenType === EOF;
      const problem = unexpectedToken(text, tokens, isEnd ? undefined : error.token);
      return { refs: parser.refs.filter(({ range }) => !isMeantOtherwise(problem, range)), problems: [problem] };
    }
    const [problem] = parser.checks.problems;
    if (whole === undefined || problem !== undefined)
      return { refs: parser.refs, problems: problem === undefined ? [] : [problem] };
    return { tree: whole.tree, refs: parser.refs, problems: [] };
  };
}

/** Whether a path is a part of what should be another reference: `env` of `env:CI` is no variable. */
function isMeantOtherwise({ key, from, to, nearest }: ConditionProblem, range: Range): boolean {
  return key === 'unexpected-token' && nearest !== undefined && from <= range[0] && range[1] <= to;
}

function referenceProblems(token: IToken, reference: (text: string) => ReadReference): ParsedCondition['problems'] {
  const { problems } = readWithGrammar(token.image, reference);
  return problems.map((problem) => shifted(problem, token.startOffset));
}

/** Operators whose chains the parser reads in a loop, to a tree that is as deep as the chain is long. */
const CHAINING: ReadonlySet<TokenType> = new Set([t.And, t.Or, t.Operator]);

function refused(key: ConditionProblem['key'], from: number, to: number, expected: string): ParsedCondition {
  return { refs: [], problems: [{ key, from, to, expected }] };
}

const OPENING: ReadonlySet<TokenType> = new Set([t.OpenParenthesis, t.OpenBracket, t.OpenBrace]);
const CLOSING: ReadonlySet<TokenType> = new Set([t.CloseParenthesis, t.CloseBracket, t.CloseBrace]);

/** The token with which brackets or negations go too deep: the parser calls itself for each. */
function tooDeep(tokens: readonly IToken[]): IToken | undefined {
  let depth = 0;
  let negations = 0;
  for (const token of tokens) {
    const { tokenType } = token;
    negations =
      tokenType === t.Bang || tokenType === t.Not ? negations + 1 : tokenType === t.OpenParenthesis ? negations : 0;
    if (OPENING.has(tokenType)) depth += 1;
    else if (CLOSING.has(tokenType)) depth -= 1;
    if (depth + negations > MOST_DEPTH) return token;
  }
  return undefined;
}
