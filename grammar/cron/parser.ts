import { EOF, EmbeddedActionsParser, Lexer } from 'chevrotain';
import type { IToken } from 'chevrotain';

import { nearest } from '#grammar/language/nearest.ts';

import { FIELDS, NICKNAMES, cronOf, valueOf } from './ast.ts';
import type { CronField, CronPart, CronProblem, FieldRange, ParsedCron } from './ast.ts';
import * as t from './tokens.ts';

/**
 * field = part {"," part}; part = base ["/" step]; base = "*" | value | value "-" value. Fields are divided by blanks.
 */
class CronParser extends EmbeddedActionsParser {
  readonly lexer = new Lexer(t.TOKENS, { positionTracking: 'onlyOffset' });
  fields: CronField[] = [];
  problems: CronProblem[] = [];

  constructor() {
    super(t.TOKENS, { recoveryEnabled: false, maxLookahead: 1 });
    this.performSelfAnalysis();
  }

  override reset(): void {
    super.reset();
    this.fields = [];
    this.problems = [];
  }

  readonly cron = this.RULE('cron', () => {
    this.MANY_SEP({ SEP: t.Blanks, DEF: () => this.SUBRULE(this.field) });
  });

  private readonly field = this.RULE('field', () => {
    const parts: CronPart[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: t.Comma,
      DEF: () => {
        const part = this.SUBRULE(this.part);
        this.ACTION(() => part !== undefined && parts.push(part));
      },
    });
    this.ACTION(() => this.fields.push(parts));
  });

  private readonly part = this.RULE('part', (): CronPart | undefined => {
    const base = this.OR([
      { ALT: () => this.CONSUME(t.Star) },
      { ALT: () => this.CONSUME(t.Digits) },
      { ALT: () => this.CONSUME(t.Name) },
    ]);
    const end = this.OPTION(() => {
      this.CONSUME(t.Dash);
      return this.OR1([{ ALT: () => this.CONSUME1(t.Digits) }, { ALT: () => this.CONSUME1(t.Name) }]);
    });
    const step = this.OPTION1(() => {
      this.CONSUME(t.Slash);
      return this.CONSUME2(t.Digits);
    });
    return this.ACTION(() => this.made(base, end, step));
  });

  private made(base: IToken, end: IToken | undefined, step: IToken | undefined): CronPart | undefined {
    const field = FIELDS[this.fields.length];
    if (field === undefined) return undefined;
    const stepped = this.stepOf(step);
    if (stepped === undefined) return undefined;
    if (base.tokenType === t.Star) {
      if (end !== undefined)
        this.problems.push({
          key: 'unexpected',
          from: base.startOffset + 1,
          to: end.startOffset + end.image.length,
          found: `-${end.image}`,
        });
      return { kind: 'any', from: field.first, to: field.last, ...stepped };
    }
    const from = this.value(base, field);
    const to = end === undefined ? undefined : this.value(end, field);
    if (from === undefined || (end !== undefined && to === undefined)) return undefined;
    if (to === undefined)
      return { kind: 'value', from, to: stepped.step === undefined ? from : field.last, ...stepped };
    if (to < from && end !== undefined) {
      this.problems.push({
        key: 'falling-range',
        from: base.startOffset,
        to: end.startOffset + end.image.length,
        found: `${base.image}-${end.image}`,
        expected: halves(base.image, end.image, field),
      });
    }
    return { kind: 'range', from, to, ...stepped };
  }

  private stepOf(token: IToken | undefined): { readonly step?: number } | undefined {
    if (token === undefined) return {};
    const step = Number(token.image);
    if (step > 0 && token.image.length <= 4) return { step };
    this.report(step === 0 ? 'zero-step' : 'out-of-range', token, { expected: '1-9999' });
    return undefined;
  }

  private value(token: IToken, field: FieldRange): number | undefined {
    const value = valueOf(token.image, field);
    if (value !== undefined) return value;
    if (token.tokenType === t.Digits) this.report('out-of-range', token, { expected: `${field.first}-${field.last}` });
    else
      this.report('unknown-name', token, {
        expected: field.names.length === 0 ? `${field.first}-${field.last}` : field.names.join(', '),
        nearest: nearest(token.image, field.names),
      });
    return undefined;
  }

  private report(
    key: CronProblem['key'],
    token: IToken,
    details: { found?: string; expected?: string; nearest?: string | undefined },
  ): void {
    const { nearest: meant, ...rest } = details;
    this.problems.push({
      key,
      from: token.startOffset,
      to: token.startOffset + token.image.length,
      found: token.image,
      ...rest,
      ...(meant === undefined ? {} : { nearest: meant }),
    });
  }
}

/** The two ranges that a falling one means: to the end of the field, and from its beginning. */
function halves(from: string, to: string, { first, last, names }: FieldRange): string {
  const isNamed = !/^\d/.test(from) && names.length > 0;
  // Sunday is 0 and 7; one of them is enough.
  const [start = '', end = ''] = isNamed
    ? [names[0], names.at(-1)]
    : [first, names.length === 7 ? 6 : last].map(String);
  return [from === end ? end : `${from}-${end}`, to === start ? start : `${start}-${to}`].join(',');
}

/** Makes the parser; call it once. */
export function makeCronGrammar(): (text: string) => ParsedCron {
  const parser = new CronParser();
  return (text) => {
    const lead = text.length - text.trimStart().length;
    const { tokens } = parser.lexer.tokenize(text.trim());
    parser.input = tokens;
    parser.cron();
    const problems = problemsOf(tokens, parser).map((problem) => ({
      ...problem,
      from: problem.from + lead,
      to: problem.to + lead,
    }));
    const cron = problems.length === 0 ? cronOf(parser.fields) : undefined;
    return cron === undefined ? { problems } : { cron, problems };
  };
}

function problemsOf(tokens: readonly IToken[], parser: CronParser): readonly CronProblem[] {
  const nickname = tokens.find(({ tokenType }) => tokenType === t.Nickname);
  const last = tokens.at(-1);
  const end = last === undefined ? 0 : last.startOffset + last.image.length;
  if (nickname !== undefined) return [nicknameProblem(nickname)];
  const [error] = parser.errors;
  if (error !== undefined && error.token.tokenType !== EOF) {
    const { image, startOffset: from } = error.token;
    return [{ key: 'unexpected', from, to: from + image.length, found: image }];
  }
  if (error !== undefined && last !== undefined)
    return [{ key: 'unexpected', from: last.startOffset, to: end, found: last.image }];
  if (parser.problems.length > 0) return parser.problems;
  const found = parser.fields.length;
  return found === FIELDS.length ? [] : [{ key: 'fields', from: 0, to: end, found: String(found) }];
}

function nicknameProblem({ image, startOffset: from }: IToken): CronProblem {
  const meant = NICKNAMES[image.toLowerCase()];
  return {
    key: 'nickname',
    from,
    to: from + image.length,
    found: image,
    ...(meant === undefined ? {} : { nearest: meant }),
  };
}
