import { EOF, EmbeddedActionsParser, Lexer } from 'chevrotain';
import type { IRecognitionException, IToken } from 'chevrotain';

import type { Route } from '#schemas/types/place.ts';
import type { Ref, RefConversion, RefNamespace } from '#schemas/types/reference.ts';
import type { Range } from '#grammar/language/problem.ts';
import { unquote } from '#grammar/language/quoted.ts';

import type { ParsedText, ReferenceProblem } from './ast.ts';
import { CONVERSIONS, isBare } from './ast.ts';
import { conversionProblem, memberProblem, problemAt, unknownKindProblem } from './problems.ts';
import * as t from './tokens.ts';

interface Found {
  readonly range: Range;
  readonly ref: Ref;
}

interface Suffixes {
  readonly convert?: RefConversion;
  readonly default?: string;
}

/** The grammar of LANGUAGE §4's references. One broken reference is one problem; those behind it are still read. */
export class ReferenceParser extends EmbeddedActionsParser {
  readonly lexer = new Lexer(t.MODES, { ensureOptimizations: false, positionTracking: 'onlyOffset' });
  found: Found[] = [];
  problems: ReferenceProblem[] = [];

  constructor() {
    super(t.MODES, { recoveryEnabled: true, maxLookahead: 1 });
    this.performSelfAnalysis();
  }

  override reset(): void {
    super.reset();
    this.found = [];
    this.problems = [];
  }

  readonly text = this.RULE('text', () => {
    this.MANY(() => {
      this.OR([
        { ALT: () => this.CONSUME(t.Literal) },
        { ALT: () => this.CONSUME(t.EscapedDollar) },
        { ALT: () => this.CONSUME(t.EscapedBraces) },
        { ALT: () => this.SUBRULE(this.dollar) },
        { ALT: () => this.SUBRULE(this.braces) },
      ]);
    });
  });

  private readonly dollar = this.RULE('dollar', () => {
    const open = this.CONSUME(t.OpenDollar);
    const ref = this.OR([
      { ALT: () => this.SUBRULE(this.named) },
      { ALT: () => this.SUBRULE(this.run) },
      { ALT: () => this.SUBRULE(this.format) },
      { ALT: () => this.bare(this.CONSUME(t.BareKind)) },
      { ALT: () => this.unknown(this.CONSUME(t.UnknownKind)) },
    ]);
    this.take(open, this.CONSUME(t.CloseDollar), ref);
  });

  private readonly named = this.RULE('named', (): Ref => {
    const kind = this.CONSUME(t.NamedKind);
    const name = this.CONSUME(t.Name);
    const suffixes = this.SUBRULE(this.suffixes);
    return this.ACTION(() => {
      const ns = kind.image.slice(0, -1) as RefNamespace;
      if (ns === 'event' && name.isInsertedInRecovery !== true) this.report(memberProblem('event', name));
      return { ns, name: name.image, ...suffixes };
    });
  });

  private readonly run = this.RULE('run', (): Ref | undefined => {
    this.CONSUME(t.RunKind);
    return this.OR([
      { ALT: () => this.runMember(this.CONSUME(t.BareKind)) },
      { ALT: () => this.runMember(this.CONSUME(t.UnknownKind)) },
      {
        ALT: () => {
          this.CONSUME(t.FormatKind);
          const format = this.CONSUME(t.Format);
          return this.ACTION((): Ref => ({ ns: 'run', name: `date:${format.image}` }));
        },
      },
    ]);
  });

  private readonly format = this.RULE('format', (): Ref => {
    this.CONSUME(t.FormatKind);
    const format = this.CONSUME(t.Format);
    return this.ACTION(() => ({ ns: 'date', name: format.image }));
  });

  private readonly braces = this.RULE('braces', () => {
    const open = this.CONSUME(t.OpenBraces);
    const path = this.SUBRULE(this.path) as Route | undefined;
    const suffixes = this.SUBRULE(this.suffixes);
    const close = this.CONSUME(t.CloseBraces);
    this.ACTION(() => {
      // Recovered from an error: there is no reference.
      if (path === undefined) return;
      const [name, ...rest] = path;
      this.take(open, close, { ns: 'var', name: String(name), ...(rest.length === 0 ? {} : { path: rest }), ...trimmed(suffixes) });
    });
  });

  readonly path = this.RULE('path', (): Route => {
    const path: (string | number)[] = [];
    this.OR([
      { ALT: () => path.push(this.CONSUME(t.Identifier).image) },
      {
        ALT: () => {
          this.CONSUME(t.OpenBracket);
          path.push(unquoted(this.CONSUME(t.Quoted)));
          this.CONSUME(t.CloseBracket);
        },
      },
    ]);
    this.MANY(() => path.push(this.SUBRULE(this.step)));
    return path;
  });

  /** A path into a value (`save_as`): it may begin with any step. */
  readonly valuePath = this.RULE('valuePath', (): Route => {
    const path: (string | number)[] = [];
    this.OR([{ ALT: () => path.push(this.CONSUME(t.Identifier).image) }, { ALT: () => path.push(this.SUBRULE(this.bracketed)) }]);
    this.MANY(() => path.push(this.SUBRULE(this.step)));
    return path;
  });

  private readonly step = this.RULE('step', (): string | number => {
    return this.OR([
      {
        ALT: () => {
          this.CONSUME(t.Dot);
          return this.OR1([
            { ALT: () => this.CONSUME(t.Identifier).image },
            { ALT: () => Number(this.CONSUME(t.Index).image) },
          ]);
        },
      },
      { ALT: () => this.SUBRULE(this.bracketed) },
    ]);
  });

  private readonly bracketed = this.RULE('bracketed', (): string | number => {
    this.CONSUME(t.OpenBracket);
    const step = this.OR([{ ALT: () => Number(this.CONSUME(t.Index).image) }, { ALT: () => unquoted(this.CONSUME(t.Quoted)) }]);
    this.CONSUME(t.CloseBracket);
    return step;
  });

  private readonly suffixes = this.RULE('suffixes', (): Suffixes => {
    const convert = this.OPTION(() => this.CONSUME(t.Conversion));
    const byDefault = this.OPTION1(() => this.CONSUME(t.Default));
    return this.ACTION(() => ({
      ...(byDefault === undefined ? {} : { default: byDefault.image.slice(2) }),
      ...(convert === undefined ? {} : this.conversion(convert)),
    }));
  });

  private conversion(token: IToken): Suffixes {
    const convert = CONVERSIONS.find((known) => known === token.image.slice(1));
    if (convert === undefined) this.report(conversionProblem(token));
    return convert === undefined ? {} : { convert };
  }

  private bare(token: IToken): Ref | undefined {
    return this.ACTION(() => {
      if (isBare(token.image)) return { ns: token.image, name: '' };
      this.report(unknownKindProblem(token));
      return undefined;
    });
  }

  private unknown(token: IToken): undefined {
    this.ACTION(() => this.report(unknownKindProblem(token)));
  }

  private runMember(token: IToken): Ref | undefined {
    return this.ACTION(() => {
      this.report(memberProblem('run', token));
      return { ns: 'run', name: token.image };
    });
  }

  private report(problem: ReferenceProblem | undefined): void {
    if (problem !== undefined) this.problems.push(problem);
  }

  private take(open: IToken, close: IToken, ref: Ref | undefined): void {
    this.ACTION(() => {
      if (ref !== undefined) this.found.push({ range: [open.startOffset, close.startOffset + close.image.length], ref });
    });
  }
}

function unquoted(token: IToken): string {
  return unquote(token.image);
}

/** Blanks are allowed inside of `{{ }}`, so those around a default are not part of it. */
function trimmed(suffixes: Suffixes): Suffixes {
  return suffixes.default === undefined ? suffixes : { ...suffixes, default: suffixes.default.trim() };
}

/** Makes the parser itself, for languages that share its rules. */
export function makeReferenceParser(): ReferenceParser {
  return new ReferenceParser();
}

/** Makes the parser; call it once. What it yields reads any text. */
export function makeReferenceGrammar(): (text: string) => ParsedText {
  const parser = new ReferenceParser();
  return (text) => {
    const { tokens } = parser.lexer.tokenize(text);
    parser.input = tokens;
    parser.text();
    return assemble(text, tokens, parser.found, [...parser.problems, ...parser.errors.map((error) => syntaxProblem(text, tokens, error))]);
  };
}

function syntaxProblem(text: string, tokens: readonly IToken[], { token }: IRecognitionException): ReferenceProblem {
  const isEnd = token.tokenType === EOF;
  const index = isEnd ? tokens.length : tokens.indexOf(token);
  const open = tokens.slice(0, index).findLast(({ tokenType }) => tokenType === t.OpenDollar || tokenType === t.OpenBraces);
  return problemAt(text, open?.startOffset ?? 0, isEnd ? undefined : token, tokens[index - 1]);
}

/** Parts in order: references that were understood, everything else as text; of each broken reference the first problem. */
function assemble(text: string, tokens: readonly IToken[], found: readonly Found[], problems: readonly ReferenceProblem[]): ParsedText {
  const opens = tokens.filter(({ tokenType }) => tokenType === t.OpenDollar || tokenType === t.OpenBraces).map(({ startOffset }) => startOffset);
  const openOf = (offset: number): number => opens.findLast((open) => open <= offset) ?? 0;
  const firsts = new Map<number, ReferenceProblem>();
  for (const problem of problems.toSorted((left, right) => left.from - right.from)) {
    if (!firsts.has(openOf(problem.from))) firsts.set(openOf(problem.from), problem);
  }
  const sound = new Map(found.filter(({ range }) => !firsts.has(range[0])).map((one) => [one.range[0], one]));
  const parts: (string | Ref)[] = [];
  const ranges: Range[] = [];
  let skipTo = 0;
  const add = (value: string, from: number, to: number): void => {
    const last = parts.at(-1);
    if (typeof last === 'string') {
      parts[parts.length - 1] = last + value;
      ranges[ranges.length - 1] = [ranges.at(-1)?.[0] ?? from, to];
    } else {
      parts.push(value);
      ranges.push([from, to]);
    }
  };
  let from = 0;
  for (const token of tokens) {
    const start = token.startOffset;
    const end = start + token.image.length;
    if (start < skipTo) continue;
    // Blanks inside of a broken reference have no token.
    if (start > from) add(text.slice(from, start), from, start);
    const one = sound.get(start);
    if (one !== undefined) {
      parts.push(one.ref);
      ranges.push(one.range);
      skipTo = from = one.range[1];
    } else {
      add(token.tokenType === t.EscapedDollar ? '${' : token.tokenType === t.EscapedBraces ? '{{' : token.image, start, end);
      from = end;
    }
  }
  if (from < text.length || parts.length === 0) add(text.slice(from), from, text.length);
  return { parts, ranges, problems: [...firsts.values()] };
}
