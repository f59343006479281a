import { parseCondition } from '#grammar/condition/parse.ts';

import { chainMeant, isChain } from './chained-assertion.ts';
import { valueMeant } from './expression.ts';
import { isMatch, matchMeant } from './match-assertion.ts';
import { isQuery, queryMeant } from './query-assertion.ts';

/** An assertion as another tool writes it. */
export interface ForeignAssertion {
  readonly tool: string;
  /** The condition that it stands for, where it has a counterpart. */
  readonly meant: string | undefined;
}

/**
 * The assertion of another tool that a text is which cannot be read as a condition; `answer` is the name of the answer
 * that it judges.
 */
export function foreignAssertion(source: string, answer: string): ForeignAssertion | undefined {
  const text = source.trim();
  if (isChain(text))
    return { tool: text.includes('pm.') ? 'Postman' : 'JavaScript', meant: sound(chainMeant(text, answer)) };
  if (isQuery(text)) return { tool: 'Hurl', meant: sound(queryMeant(text, answer)) };
  if (isMatch(text)) return { tool: 'Karate', meant: sound(matchMeant(text, answer)) };
  return /\bpm\./.test(text) ? { tool: 'Postman', meant: sound(comparisonMeant(text, answer)) } : undefined;
}

/** A comparison of expressions: `pm.response.code === 200`. */
function comparisonMeant(text: string, answer: string): string | undefined {
  const [, left = '', operator = '', right = ''] = /^(.+?)\s*([=!]==?|[<>]=?)\s*(.+?);?$/.exec(text) ?? [];
  const [one, other] = [valueMeant(left, answer), valueMeant(right, answer)];
  if (one === undefined || other === undefined) return undefined;
  return `${one} ${operator.length === 3 ? operator.slice(0, 2) : operator} ${other}`;
}

/** The condition, where it can be read as one. */
function sound(condition: string | undefined): string | undefined {
  return condition !== undefined && parseCondition(condition).problems.length === 0 ? condition : undefined;
}
