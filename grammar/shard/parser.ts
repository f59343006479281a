import { EOF, EmbeddedActionsParser, Lexer } from 'chevrotain';
import type { IToken } from 'chevrotain';

import { MOST_SHARDS } from './ast.ts';
import type { ParsedShard, ShardProblem } from './ast.ts';
import * as t from './tokens.ts';

/** shard = index "/" total */
class ShardParser extends EmbeddedActionsParser {
  readonly lexer = new Lexer(t.TOKENS, { positionTracking: 'onlyOffset' });

  constructor() {
    super(t.TOKENS, { recoveryEnabled: false, maxLookahead: 1 });
    this.performSelfAnalysis();
  }

  readonly shard = this.RULE('shard', (): readonly [IToken, IToken] => {
    const index = this.CONSUME(t.Digits);
    this.CONSUME(t.Slash);
    const total = this.CONSUME1(t.Digits);
    return [index, total];
  });
}

/** Makes the parser; call it once. */
export function makeShardGrammar(): (text: string) => ParsedShard {
  const parser = new ShardParser();
  return (text) => {
    parser.input = parser.lexer.tokenize(text).tokens;
    const pair = parser.shard();
    const [error] = parser.errors;
    if (error !== undefined || pair === undefined) return { problems: [syntaxProblem(text, error?.token)] };
    const [index, total] = pair;
    const problem = numberProblem(index, total);
    return problem === undefined
      ? { shard: { index: Number(index.image), total: Number(total.image) }, problems: [] }
      : { problems: [problem] };
  };
}

function syntaxProblem(text: string, token: IToken | undefined): ShardProblem {
  if (token === undefined || token.tokenType === EOF) return { key: 'incomplete', from: 0, to: text.length };
  return { key: 'unexpected', from: token.startOffset, to: token.startOffset + token.image.length, found: token.image };
}

function numberProblem(index: IToken, total: IToken): ShardProblem | undefined {
  const of = { from: total.startOffset, to: total.startOffset + total.image.length, found: total.image };
  if (Number(total.image) < 1 || Number(total.image) > MOST_SHARDS)
    return { key: 'no-shards', ...of, expected: `1-${MOST_SHARDS}` };
  if (Number(index.image) >= 1 && Number(index.image) <= Number(total.image)) return undefined;
  return {
    key: 'outside',
    from: index.startOffset,
    to: index.startOffset + index.image.length,
    found: index.image,
    expected: `1-${total.image}`,
  };
}
