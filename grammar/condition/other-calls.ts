import type { IToken } from 'chevrotain';

import { unquote } from '#grammar/language/quoted.ts';

import type { ConditionProblem } from './ast.ts';
import { endOf, operandBefore, operandBehind, type Operand } from './operands.ts';
import * as t from './tokens.ts';

/** Names that the calls of conditions have in other languages, as operators and as methods. */
const MEANT: Readonly<Record<string, Meant>> = {
  contains: (one, other) => `contains(${one}, ${other})`,
  includes: (one, other) => `contains(${one}, ${other})`,
  in: (one, other) => `contains(${other}, ${one})`,
  matches: (one, other) => matches(one, patternOf(other)),
  match: (one, other) => matches(one, patternOf(other)),
  '=~': (one, other) => matches(one, patternOf(other)),
  '!~': (one, other) => matches(one, patternOf(other)),
  startswith: (one, other) => matches(one, edgePattern(other, '^', '')),
  endswith: (one, other) => matches(one, edgePattern(other, '', '$')),
};
type Meant = (one: string, other: string) => string | undefined;

/** Methods without arguments, and fields that other languages have in their place. */
const MEASURES: ReadonlySet<string> = new Set(['length', 'size', 'count', 'len']);

/**
 * Something that is a call here, where the token at `at` was not expected: `x contains "y"`, `x not in list`,
 * `x =~ /y/`, `x.startsWith("y")`, `x in [1, 2]`, `x is defined`, `x | length`.
 */
export function writtenAsCall(text: string, tokens: readonly IToken[], at: number): ConditionProblem | undefined {
  const place: Place = { text, tokens, at };
  return filter(place) ?? testByWord(place) ?? method(place) ?? infix(place);
}

interface Place {
  readonly text: string;
  readonly tokens: readonly IToken[];
  readonly at: number;
}

function infix({ text, tokens, at }: Place): ConditionProblem | undefined {
  const isNegated = at > 0 && tokens[at]?.tokenType === t.Not;
  const word = isNegated ? at + 1 : at;
  const found = tokens[word]?.image ?? '';
  const left = operandBefore(text, tokens, at);
  if (left === undefined) return undefined;
  const isNot = isNegated || found === '!~';
  const items = found === 'in' ? itemsBehind(text, tokens, word) : undefined;
  if (items !== undefined) return problem(found, left, items.to, oneOf(left.text, items.texts, isNot));
  const right = operandBehind(text, tokens, word);
  const call = right && meantBy(found)?.(left.text, right.text);
  if (right === undefined || call === undefined || goesOn(tokens, right.to)) return undefined;
  return problem(found, left, right.to, `${isNot ? '!' : ''}${call}`);
}

/** Whether more than the end of a condition follows: of `x contains only y` the word is no value. */
function goesOn(tokens: readonly IToken[], to: number): boolean {
  const next = tokens.find(({ startOffset }) => startOffset >= to)?.tokenType;
  return next !== undefined && next !== t.And && next !== t.Or && next !== t.CloseParenthesis;
}

/** The call that an operator or a method of another language stands for: `startsWith`, `=~`. */
export function meantBy(name: string): Meant | undefined {
  const plain = name.toLowerCase().replaceAll('_', '');
  return Object.hasOwn(MEANT, plain) ? MEANT[plain] : undefined;
}

/** Functions that take one value. */
const OF_ONE: ReadonlySet<string> = new Set(['exists', 'len', 'num']);

function problem(found: string, left: Operand, to: number, nearest: string): ConditionProblem {
  const expected = /^!?(\w+)\(/.exec(nearest)?.[1];
  return {
    key: 'infix-function',
    from: left.from,
    to,
    found,
    expected: expected === undefined ? nearest : OF_ONE.has(expected) ? `${expected}(x)` : `${expected}(x, y)`,
    nearest,
  };
}

/** `x.includes("y")` and `x.length()`. */
function method({ text, tokens, at }: Place): ConditionProblem | undefined {
  const [dot, name, open] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (dot?.tokenType !== t.Dot || name?.tokenType !== t.FunctionName || open === undefined) return undefined;
  const left = operandBefore(text, tokens, at - 1);
  if (left === undefined) return undefined;
  const close = tokens[at + 2];
  if (close?.tokenType === t.CloseParenthesis)
    return MEASURES.has(name.image) ? problem(`.${name.image}`, left, endOf(close), `len(${left.text})`) : undefined;
  const right = operandBehind(text, tokens, at + 1);
  const end = right && tokens.find(({ startOffset }) => startOffset >= right.to);
  if (right === undefined || end?.tokenType !== t.CloseParenthesis) return undefined;
  const call = meantBy(name.image)?.(left.text, right.text);
  return call === undefined ? undefined : problem(`.${name.image}`, left, endOf(end), call);
}

/** Filters of templates, and what each means of a value; null: nothing that is one word here. */
const FILTERS: Readonly<Record<string, ((value: string) => string) | null>> = {
  length: (value) => `len(${value})`,
  count: (value) => `len(${value})`,
  size: (value) => `len(${value})`,
  int: (value) => `num(${value})`,
  float: (value) => `num(${value})`,
  bool: (value) => value,
  ...Object.fromEntries(
    ['default', 'd', 'first', 'join', 'last', 'list', 'lower', 'string', 'trim', 'upper'].map((name) => [name, null]),
  ),
};

/** `x | length`, as templates ask; a single stroke before another word is meant as `||`. */
function filter({ text, tokens, at }: Place): ConditionProblem | undefined {
  const left = operandBefore(text, tokens, at);
  const name = tokens[at + 1];
  if (tokens[at]?.image !== '|' || left === undefined || name === undefined || !Object.hasOwn(FILTERS, name.image))
    return undefined;
  const found = `| ${name.image}`;
  const meant = name.tokenType === t.Identifier ? FILTERS[name.image] : null;
  if (meant) return problem(found, left, endOf(name), meant(left.text));
  return { key: 'bad-operator', from: left.from, to: endOf(name), found };
}

/** Tests that other languages write behind `is`, as conditions on a value. */
const TESTS: Readonly<Record<string, (value: string) => string>> = {
  defined: (value) => `exists(${value})`,
  undefined: (value) => `!exists(${value})`,
  none: (value) => `${value} == null`,
  empty: (value) => `len(${value}) == 0`,
};

/** Outcomes of steps as other tools test them, and the status that each means. */
const OUTCOMES: Readonly<Record<string, string>> = {
  succeeded: 'passed',
  success: 'passed',
  successful: 'passed',
  passed: 'passed',
  failed: 'failed',
  failure: 'failed',
  skipped: 'skipped',
};

/** `x is defined`, `x is not none`, `x is failed`; a word that is no known test may be one of another language. */
function testByWord({ text, tokens, at }: Place): ConditionProblem | undefined {
  const isNot = tokens[at + 1]?.tokenType === t.Not;
  const word = tokens[isNot ? at + 2 : at + 1];
  const left = operandBefore(text, tokens, at);
  if (left === undefined || tokens[at]?.image !== 'is' || word?.tokenType !== t.Identifier) return undefined;
  const name = word.image.toLowerCase();
  const found = `is ${isNot ? 'not ' : ''}${word.image}`;
  const test = Object.hasOwn(TESTS, name) ? TESTS[name] : undefined;
  if (test !== undefined) return problem(found, left, endOf(word), negated(test(left.text), isNot));
  const status = Object.hasOwn(OUTCOMES, name) ? OUTCOMES[name] : undefined;
  const meant =
    status !== undefined && /^[\w-]+$/.test(left.text)
      ? { nearest: `steps.${left.text}.status ${isNot ? '!=' : '=='} "${status}"` }
      : {};
  return { key: 'bad-operator', from: left.from, to: endOf(word), found, ...meant };
}

function negated(condition: string, isNot: boolean): string {
  if (!isNot) return condition;
  if (condition.startsWith('!')) return condition.slice(1);
  return condition.includes(' == ') ? condition.replace(' == ', ' != ') : `!${condition}`;
}

/** The values between the brackets, or parentheses, behind a token. */
function itemsBehind(
  text: string,
  tokens: readonly IToken[],
  at: number,
): { readonly texts: readonly string[]; readonly to: number } | undefined {
  const open = tokens[at + 1]?.tokenType;
  if (open !== t.OpenBracket && open !== t.OpenParenthesis) return undefined;
  const texts: string[] = [];
  for (let before = at + 1; ;) {
    const item = operandBehind(text, tokens, before);
    if (item === undefined) return undefined;
    texts.push(item.text);
    before = tokens.findIndex(({ startOffset }) => startOffset >= item.to);
    const next = tokens[before];
    if (next?.tokenType === t.CloseBracket || next?.tokenType === t.CloseParenthesis) return { texts, to: endOf(next) };
    if (next?.tokenType !== t.Comma) return undefined;
  }
}

function oneOf(value: string, items: readonly string[], isNot: boolean): string {
  const all = items.map((item) => `${value} ${isNot ? '!=' : '=='} ${item}`).join(isNot ? ' && ' : ' || ');
  return items.length === 1 ? all : `(${all})`;
}

function matches(text: string, pattern: string | undefined): string | undefined {
  return pattern === undefined ? undefined : `matches(${text}, ${pattern})`;
}

/** A text in quotes as the regular expression that it holds. */
function patternOf(written: string): string {
  return /^["']/.test(written) ? `/${unquote(written).replaceAll('/', '\\/')}/` : written;
}

/** A text in quotes as a regular expression for itself, at the beginning or the end. */
function edgePattern(written: string, before: string, behind: string): string | undefined {
  if (!/^["']/.test(written)) return undefined;
  return `/${before}${unquote(written).replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)}${behind}/`;
}
