import { meantBy } from '#grammar/condition/other-calls.ts';

import { closing, valueMeant } from './expression.ts';
import { negated } from './negation.ts';
import { typeTest } from './tests-of-types.ts';

/** An assertion that is a chain of calls: its value, its words, and what the last of them takes. */
interface Chain {
  readonly value: string;
  readonly isNegated: boolean;
  readonly word: string;
  readonly argument: string | undefined;
}

const BEGIN = /^(?:pm\.|chai\.|await\s+|await\s+chai\.)?expect(?:\.soft)?\(/;
const POSTMAN = /^pm\.response(?=\.to\.)/;
const REST = /^((?:\.[A-Za-z]+)*?)\.([A-Za-z]+)(?:\((.*)\))?;?$/s;

/** Whether a text is such an assertion of Postman, Chai, Jest, Cypress or Playwright. */
export function isChain(text: string): boolean {
  return BEGIN.test(text) || POSTMAN.test(text);
}

/** The condition that `expect(x).to.equal(1)` and `expect(x).toBe(1)` stand for. */
export function chainMeant(text: string, answer: string): string | undefined {
  const chain = chainOf(text);
  const value = chain && valueMeant(chain.value, answer);
  if (chain === undefined || value === undefined) return undefined;
  const argument = chain.argument === undefined ? undefined : argumentMeant(chain.argument, answer);
  if (chain.argument !== undefined && argument === undefined) return undefined;
  const test = Object.hasOwn(TESTS, chain.word) ? TESTS[chain.word]?.(value, argument ?? '', answer) : undefined;
  return test && (chain.isNegated ? negated(test) : test);
}

function chainOf(text: string): Chain | undefined {
  const [begin] = BEGIN.exec(text) ?? [];
  const [postman] = POSTMAN.exec(text) ?? [];
  const close = begin === undefined ? -1 : closing(text, begin.length - 1);
  if (close < 0 && postman === undefined) return undefined;
  const value = postman ?? text.slice(begin?.length ?? 0, close);
  const [, words = '', last = '', argument] = REST.exec(text.slice(postman?.length ?? close + 1)) ?? [];
  if (last === '') return undefined;
  return {
    value,
    isNegated: /\.not\b/.test(words),
    word: last.toLowerCase().replace(/^to(?=.)/, ''),
    argument: argument?.trim() === '' ? undefined : argument,
  };
}

/** A value, or a regular expression, which stays as it is. */
function argumentMeant(written: string, answer: string): string | undefined {
  return /^\/(?:[^/\\]|\\.)+\/[ims]*$/.test(written.trim()) ? written.trim() : valueMeant(written, answer);
}

type Test = (value: string, argument: string, answer: string) => string | undefined;

const equal: Test = (value, argument) => given(argument, `${value} == ${argument}`);
const contains: Test = (value, argument) => given(argument, `contains(${value}, ${argument})`);
/** Chai takes a pattern, Jest a text that is somewhere in it too. */
const matches: Test = (value, argument) => given(argument, meantBy('match')?.(value, argument) ?? '');
const length: Test = (value, argument) => given(argument, `len(${value}) == ${argument}`);
const isOfType: Test = (value, argument) => typeTest(argument.slice(1, -1), value);
const exists: Test = (value, argument) => `exists(${value}${member(argument)})`;
const order =
  (operator: string): Test =>
  (value, argument) =>
    given(argument, `${value} ${operator} ${argument}`);
const is =
  (literal: string): Test =>
  (value) =>
    `${value} == ${literal}`;
/** Tests of an answer as a whole. */
const ofAnswer =
  (test: (argument: string) => string): Test =>
  (value, argument, answer) =>
    value === answer ? `${answer}${test(argument)}` : undefined;

function given(argument: string, condition: string): string | undefined {
  return argument === '' ? undefined : condition;
}

function member(argument: string): string {
  const [, name] = /^["']([A-Za-z_]\w*)["']$/.exec(argument) ?? [];
  return name === undefined ? (argument === '' ? '' : `[${argument}]`) : `.${name}`;
}

/** Last words of such chains, in small letters and without `to` in front. */
const TESTS: Readonly<Record<string, Test>> = {
  ...{ be: equal, eq: equal, eql: equal, equal, equals: equal, strictequal: equal, havetext: equal },
  ...{ contain: contains, contains, include: contains, includes: contains, match: matches, matches },
  ...{ above: order('>'), greaterthan: order('>'), gt: order('>'), begreaterthan: order('>') },
  ...{ below: order('<'), lessthan: order('<'), lt: order('<'), belessthan: order('<') },
  ...{ least: order('>='), gte: order('>='), begreaterthanorequal: order('>=') },
  ...{ most: order('<='), lte: order('<='), belessthanorequal: order('<=') },
  ...{ a: isOfType, an: isOfType, length, lengthof: length, havelength: length },
  ...{ true: is('true'), false: is('false'), null: is('null'), benull: is('null') },
  ...{ exist: exists, exists, property: exists, haveproperty: exists, bedefined: exists },
  empty: (value) => `len(${value}) == 0`,
  ok: ofAnswer(() => '.status_code == 200'),
  beok: ofAnswer(() => '.status_code < 400'),
  success: ofAnswer(() => '.status_code < 300'),
  status: ofAnswer((argument) => `.status_code == ${argument}`),
  header: ofAnswer((argument) => `.headers[${argument}] != null`),
  body: ofAnswer((argument) => `.text == ${argument}`),
};
