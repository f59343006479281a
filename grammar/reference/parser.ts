import { EOF, EmbeddedActionsParser, Lexer } from 'chevrotain';
import type { IRecognitionException, IToken } from 'chevrotain';

import type { Route } from '#schemas/types/place.ts';
import type { Ref, RefConversion, RefNamespace } from '#schemas/types/reference.ts';
import { unquote } from '#grammar/language/quoted.ts';

import type { ReferenceProblem } from './ast.ts';
import { CONVERSIONS, isBare } from './ast.ts';
import { conversionProblem, memberProblem, problemAt, unknownKindProblem } from './problems.ts';
import * as t from './tokens.ts';

interface Suffixes {
  readonly convert?: RefConversion;
  readonly default?: string;
}

/**
 * The grammar of one reference (`compiler/language/references.md`). It stops at the first thing that is wrong:
 * `parseText` goes on behind the
 * closing brace, so that one broken reference is one problem and those behind it are still read.
 */
class ReferenceParser extends EmbeddedActionsParser {
  readonly lexer = new Lexer(t.MODES, { ensureOptimizations: false, positionTracking: 'onlyOffset' });
  problem: ReferenceProblem | undefined;

  constructor() {
    super(t.MODES, { recoveryEnabled: false, maxLookahead: 1 });
    this.performSelfAnalysis();
  }

  override reset(): void {
    super.reset();
    this.problem = undefined;
  }

  readonly reference = this.RULE('reference', (): Ref | undefined => {
    const ref = this.OR([{ ALT: () => this.SUBRULE(this.dollar) }, { ALT: () => this.SUBRULE(this.braces) }]);
    this.OPTION(() => this.CONSUME(t.Rest));
    return ref;
  });

  private readonly dollar = this.RULE('dollar', (): Ref | undefined => {
    this.CONSUME(t.OpenDollar);
    const ref = this.OR([
      { ALT: () => this.SUBRULE(this.named) },
      { ALT: () => this.SUBRULE(this.run) },
      { ALT: () => this.SUBRULE(this.format) },
      { ALT: () => this.bare(this.CONSUME(t.BareKind)) },
      { ALT: () => this.unknown(this.CONSUME(t.UnknownKind)) },
    ]);
    this.CONSUME(t.CloseDollar);
    return ref;
  });

  private readonly named = this.RULE('named', (): Ref => {
    const kind = this.CONSUME(t.NamedKind);
    const name = this.CONSUME(t.Name);
    const suffixes = this.SUBRULE(this.suffixes);
    return this.ACTION(() => {
      const ns = kind.image.slice(0, -1) as RefNamespace;
      if (ns === 'event') this.report(memberProblem('event', name));
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

  private readonly braces = this.RULE('braces', (): Ref => {
    this.CONSUME(t.OpenBraces);
    const path = this.SUBRULE(this.path);
    const suffixes = this.SUBRULE(this.suffixes);
    this.CONSUME(t.CloseBraces);
    return this.ACTION(() => {
      const [name, ...rest] = path;
      return { ns: 'var', name: String(name), ...(rest.length === 0 ? {} : { path: rest }), ...trimmed(suffixes) };
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
    this.OR([
      { ALT: () => path.push(this.CONSUME(t.Identifier).image) },
      { ALT: () => path.push(this.SUBRULE(this.bracketed)) },
    ]);
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
    const step = this.OR([
      { ALT: () => Number(this.CONSUME(t.Index).image) },
      { ALT: () => unquoted(this.CONSUME(t.Quoted)) },
    ]);
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
      if (token.image === 'uuid:v4') return { ns: 'uuid', name: 'v4' };
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
    this.problem ??= problem;
  }
}

function unquoted(token: IToken): string {
  return unquote(token.image);
}

/** Blanks are allowed inside of `{{ }}`, so those around a default are not part of it. */
function trimmed(suffixes: Suffixes): Suffixes {
  return suffixes.default === undefined ? suffixes : { ...suffixes, default: suffixes.default.trim() };
}

/** Result of reading a text that begins with the mark of a reference. */
export interface ReadReference {
  /** Absent where there is a problem. */
  readonly ref?: Ref;
  /** End of the reference, or offset at which to go on behind a broken one. */
  readonly end: number;
  readonly problem?: ReferenceProblem;
}

/** Makes the parser itself, for languages that share its rules. */
export function makeReferenceParser(): ReferenceParser {
  return new ReferenceParser();
}

/** Makes the parser; call it once. The parser reads the reference at the start of a text. */
export function makeReferenceGrammar(): (text: string) => ReadReference {
  const parser = new ReferenceParser();
  return (text) => {
    const { tokens } = parser.lexer.tokenize(text);
    parser.input = tokens;
    const ref = parser.reference();
    const close = tokens.find(({ tokenType }) => tokenType === t.CloseDollar || tokenType === t.CloseBraces);
    const end = close === undefined ? text.length : close.startOffset + close.image.length;
    const [error] = parser.errors;
    const problem = error === undefined ? parser.problem : syntaxProblem(text, tokens, error);
    return problem === undefined && ref !== undefined
      ? { ref, end }
      : { end, ...(problem === undefined ? {} : { problem }) };
  };
}

function syntaxProblem(text: string, tokens: readonly IToken[], { token }: IRecognitionException): ReferenceProblem {
  const isEnd = token.tokenType === EOF;
  return problemAt(text, isEnd ? undefined : token, tokens[(isEnd ? tokens.length : tokens.indexOf(token)) - 1]);
}
