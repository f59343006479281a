import { describe, expect, test } from 'vitest';

import type { Condition, ConditionTree } from '#schemas/types/condition-tree.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import type { RunRecord } from '#schemas/types/record.ts';

import { node, runCase, variable } from './harness.ts';

const path = (...pieces: [string, ...(string | number)[]]): ConditionTree => ({
  kind: 'reference',
  ref: variable(pieces[0], ...pieces.slice(1)),
});
const literal = (value: null | boolean | number | string): ConditionTree => ({ kind: 'literal', value });
const compare = (
  left: ConditionTree,
  operator: '==' | '!=' | '<' | '<=' | '>' | '>=',
  right: ConditionTree,
): ConditionTree => ({ kind: 'compare', operator, left, right });
const call = (name: 'exists' | 'matches' | 'contains' | 'len' | 'num', ...args: ConditionTree[]): ConditionTree => ({
  kind: 'call',
  name,
  args,
});
const list = (...items: ConditionTree[]): ConditionTree => ({ kind: 'list', items });
const object = (...entries: [string, ConditionTree][]): ConditionTree => ({ kind: 'object', entries });
const condition = (tree: ConditionTree): Condition => ({ source: 'the condition', tree });

const result = {
  n: 3,
  text: 'Corner shop',
  list: [1, { a: 2 }],
  nothing: null,
  yes: true,
  headers: { 'content-type': 'a/b' },
  digits: '12',
};

async function expecting(tree: ConditionTree, value: Json = result): Promise<RunRecord> {
  const { of } = await runCase({ body: [node('0', 'GET', { value }, { expect: [condition(tree)] })] });
  return of('a.yaml#0');
}

describe('expect', () => {
  test.each<[string, ConditionTree]>([
    ['equal numbers', compare(path('result', 'n'), '==', literal(3))],
    ['order of numbers', compare(path('result', 'n'), '<=', literal(3))],
    ['order of texts', compare(path('result', 'text'), '<', literal('D'))],
    ['null is comparable with all', compare(path('result', 'n'), '!=', literal(null))],
    ['null equals null', compare(path('result', 'nothing'), '==', literal(null))],
    ['deep', compare(path('result', 'list', 1), '==', path('result', 'list', 1))],
    ['a path to a boolean', path('result', 'yes')],
    ['not', { kind: 'not', operand: compare(path('result', 'n'), '==', literal(4)) }],
    ['and', { kind: 'and', left: path('result', 'yes'), right: path('result', 'yes') }],
    [
      'or does not look at its right side when the left holds',
      { kind: 'or', left: path('result', 'yes'), right: path('result', 'none') },
    ],
    ['headers ignore case', compare(path('result', 'headers', 'Content-Type'), '==', literal('a/b'))],
    ['exists', call('exists', path('result', 'nothing'))],
    ['exists not', { kind: 'not', operand: call('exists', path('result', 'none', 'deep')) }],
    ['len of a text', compare(call('len', path('result', 'text')), '==', literal(11))],
    ['len of an object', compare(call('len', path('result', 'headers')), '==', literal(1))],
    ['num', compare(call('num', path('result', 'digits')), '>', literal(11))],
    ['contains text', call('contains', path('result', 'text'), literal('shop'))],
    ['contains element', call('contains', path('result', 'list'), literal(1))],
    ['matches searches', call('matches', path('result', 'text'), { kind: 'regex', pattern: 'SHOP$', flags: 'i' })],
  ])('%s', async (_, tree) => {
    expect((await expecting(tree)).status).toBe('passed');
  });

  test('shows both sides', async () => {
    expect((await expecting(compare(path('result', 'n'), '==', literal(4)))).error).toMatchObject({
      code: 'SVC80005',
      message: '"the condition" does not hold.',
      actual: 3,
      expected: 4,
    });
    expect(
      (
        await expecting({
          kind: 'and',
          left: path('result', 'yes'),
          right: compare(path('result', 'n'), '>', literal(9)),
        })
      ).error,
    ).toMatchObject({ actual: 3, expected: 9 });
    expect(
      (await expecting(call('matches', path('result', 'text'), { kind: 'regex', pattern: 'x', flags: '' }))).error,
    ).toMatchObject({ actual: 'Corner shop', expected: '/x/' });
  });

  test('a condition that was turned round tells what it was', async () => {
    const { error } = await expecting({ kind: 'not', operand: path('result', 'yes') });
    expect(error).toMatchObject({ actual: true, expected: false });
  });

  test.each<[string, Json, string | undefined]>([
    ['all of a short list', ['a', { b: 1 }], 'The list holds "a",{"b":1}'],
    ['the first of a long one', [1, 2, 3, 4], 'The list begins with 1,2,3'],
    ['those that are short enough, whole', ['a', 'x'.repeat(600)], 'The list begins with "a"'],
    ['none that is too long', ['x'.repeat(700)], undefined],
    ['none of what is no list', { a: 1 }, undefined],
  ])('a list whose length is not as wanted shows %s', async (_, value, help) => {
    const record = await expecting(compare(call('len', path('result')), '==', literal(0)), value);
    expect(record.error?.help).toBe(help);
  });

  test('a missing path does not hold, with the first piece that was not found', async () => {
    expect((await expecting(compare(path('result', 'list', 7, 'a'), '==', literal(1)))).error).toMatchObject({
      code: 'SVC80006',
      message: '"the condition" cannot hold: there is no "7" in result.list.',
    });
  });

  test.each<[headers: Json, help: string, more?: JsonObject]>([
    [
      { Location: '/b', 'Content-Type': 'text/html' },
      'The answer leads to another address; `allow_redirects: true` follows it.',
      { status_code: 302 },
    ],
    [{ 'content-type': 'application/json' }, 'The answer has no body.', { text: '' }],
    [{ location: '/b' }, 'The answer is of no known type, not JSON.', { status_code: 201, text: 'x' }],
    [{ 'Content-Type': 'text/html', server: 'x' }, 'The answer is text/html, not JSON.'],
    [
      { 'content-type': 'application/json; charset=utf-8' },
      'The answer says application/json; charset=utf-8, but its body is not valid JSON.',
    ],
    [
      { 'content-type': 'application/problem+json' },
      'The answer says application/problem+json, but its body is not valid JSON.',
    ],
    [{ server: 'x' }, 'The answer is of no known type, not JSON.'],
    [
      { 'content-type': 'text/plain' },
      'The answer is text/plain, not JSON. Its text may be JSON all the same: `{{last_response.text:json}}` reads it.',
      { text: ' {"state":"paid"}\n' },
    ],
  ])('of an answer with the headers %j that is no JSON says what it is', async (headers, help, more) => {
    const answer = { status_code: 200, headers, json: null, ...more };
    const { error } = await expecting(compare(path('result', 'json', 'state'), '==', literal('paid')), answer);
    expect(error).toMatchObject({ code: 'SVC80006', help });
  });

  test.each<[string, ConditionTree, string]>([
    ['text and number', compare(path('result', 'digits'), '<', literal(4)), 'SVC80008'],
    ['equality of different types', compare(path('result', 'digits'), '==', literal(12)), 'SVC80008'],
    ['order of booleans', compare(path('result', 'yes'), '<', literal(true)), 'SVC80008'],
    ['a number is no condition', path('result', 'n'), 'SVC80009'],
    ['len of a number', compare(call('len', path('result', 'n')), '==', literal(1)), 'SVC80010'],
    ['num of words', compare(call('num', path('result', 'text')), '==', literal(1)), 'SVC80010'],
    [
      'matches of a number',
      call('matches', path('result', 'n'), { kind: 'regex', pattern: 'x', flags: '' }),
      'SVC80010',
    ],
    ['contains of a number in a text', call('contains', path('result', 'text'), literal(1)), 'SVC80010'],
  ])('%s is an error, not a guess', async (_, tree, code) => {
    expect((await expecting(tree)).error?.code).toBe(code);
  });

  test('a search that runs away is stopped', async () => {
    const record = await expecting(
      call('matches', path('result'), { kind: 'regex', pattern: '^(a+)+$', flags: '' }),
      `${'a'.repeat(40)}!`,
    );
    expect(record.error?.code).toBe('SVC80030');
  });

  test('the result of the failing step stands in its record', async () => {
    expect((await expecting(compare(path('result', 'n'), '==', literal(4)))).result).toEqual(result);
  });
});

describe('when', () => {
  test('a missing path is an error', async () => {
    const { of } = await runCase({
      body: [node('0', 'GET', { value: 1 }, { when: condition(compare(path('user', 'mail'), '==', literal('x'))) })],
    });
    expect(of('a.yaml#0').error).toMatchObject({
      code: 'SVC80007',
      message: '"the condition" cannot be decided: there is no "user" in the variables.',
    });
  });
  test('a failure of a `when` says that it is about that', async () => {
    const { of } = await runCase({
      body: [node('0', 'GET', { value: 1 }, { when: condition(compare(path('a', 'b'), '==', literal(1))) })],
    });
    expect(of('a.yaml#0').error).toMatchObject({ when: true });
  });
});

describe('lists and objects that a condition writes', () => {
  test('hold values of the run', async () => {
    const written = list(literal(1), object(['a', literal(2)]));
    expect(await expecting(compare(path('result', 'list'), '==', written))).toMatchObject({ status: 'passed' });
    const filled = list(path('result', 'n'), call('len', path('result', 'list')));
    expect(await expecting(compare(filled, '==', list(literal(3), literal(2))))).toMatchObject({ status: 'passed' });
    const among = call('contains', list(literal(2), literal(3)), path('result', 'n'));
    expect(await expecting(among)).toMatchObject({ status: 'passed' });
    const key = object(['__proto__', literal(1)]);
    expect(await expecting(compare(key, '==', object()))).toMatchObject({ status: 'failed' });
  });
  test('show both sides', async () => {
    const { error } = await expecting(compare(path('result', 'list'), '==', list(literal(1))));
    expect(error).toMatchObject({ actual: [1, { a: 2 }], expected: [1] });
  });
  test('show the first that is not there', async () => {
    const { error } = await expecting(compare(path('result', 'list'), '==', list(path('result', 'zip'))));
    expect(error).toMatchObject({ code: 'SVC80006' });
  });
});

describe('where long values differ', () => {
  const items = Array.from({ length: 20 }, (_, id) => ({ id, state: 'done' }));
  const helpFor = async (change: (all: Json[]) => Json): Promise<unknown> => {
    const { error } = await expecting(compare(path('result', 'one'), '==', path('result', 'other')), {
      one: change(structuredClone(items)),
      other: items,
    });
    return error?.help;
  };
  test('names the places', async () => {
    expect(await helpFor((all) => all.with(7, { id: 7, state: 'open' }))).toBe(
      'They differ in 1 place: [7].state is "open", expected "done".',
    );
    expect(await helpFor((all) => all.with(7, { state: null, zip: 1 }))).toBe(
      'They differ in 3 places: [7].state is null, expected "done"; [7].zip is 1, expected nothing there; [7].id is not there, expected 7.',
    );
    expect(await helpFor((all) => all.slice(0, 2))).toMatch(
      /^They differ in 18 places: \[2\] is not there, expected \{"id":2,"state":"done"\}; .*; and 15 more\.$/,
    );
    expect(await helpFor((all) => all.with(0, 'x'.repeat(100)))).toBe(
      'They differ in 1 place: [0] is text, expected {"id":0,"state":"done"}.',
    );
  });
  test('is left out of short values, and of those of different kinds', async () => {
    expect((await expecting(compare(path('result', 'list'), '==', list()))).error?.help).toBeUndefined();
    expect(await helpFor(() => ({}))).toBeUndefined();
  });
});

test('a text in quotes that holds the signs of a reference says that it is not filled', async () => {
  const { error } = await expecting(compare(path('result', 'text'), '==', literal('{{name}} shop')));
  expect(error?.help).toMatch(/^A text in quotes is not filled/);
  const deep = call('contains', path('result', 'list'), list(object(['a', literal('a ${ENV.KEY}')])));
  expect((await expecting(deep)).error?.help).toMatch(/^A text in quotes is not filled/);
  const plain = await expecting(compare(path('result', 'text'), '==', literal('{{name')));
  expect(plain.error?.help).toBeUndefined();
});

test('a list says how it is counted, and which its last element is', async () => {
  const helpOf = async (...at: (string | number)[]): Promise<unknown> =>
    (await expecting(compare(path('result', 'list', ...at), '==', literal(1)))).error?.help;
  expect(await helpOf('length')).toBe('result.list is a list of 2: `len(result.list)` counts its elements.');
  expect(await helpOf(-1)).toBe('result.list is a list of 2; its elements count from 0; the last is [1] here.');
});

describe('save_as', () => {
  const save = async (value: Json, saveAs: { path?: (string | number)[]; match?: string }): Promise<unknown> => {
    const { records } = await runCase({
      body: [
        node('0', 'GET', { value }, { save_as: [{ name: 'x', ...saveAs }] }),
        node('1', 'GET', { value: { ref: variable('x') } }),
      ],
    });
    return records[0]?.error?.code ?? records[1]?.result;
  };
  test('takes the whole, a path, or a match', async () => {
    expect(await save({ a: [1] }, {})).toEqual({ a: [1] });
    expect(await save({ a: [1] }, { path: ['a', 0] })).toBe(1);
    expect(await save('order 77 of 80', { match: 'order (\\d+)' })).toBe('77');
    expect(await save('order 77', { match: '\\d+' })).toBe('77');
  });
  test('fails where nothing is found', async () => {
    expect(await save({ a: 1 }, { path: ['b'] })).toBe('SVC80020');
    expect(await save('order', { match: '\\d+' })).toBe('SVC80021');
    expect(await save({ a: 1 }, { match: '1' })).toBe('SVC80022');
  });
  test('a failure says which entry found nothing', async () => {
    const { of } = await runCase({
      body: [node('0', 'GET', { value: { a: 1 } }, { save_as: [{ name: 'x' }, { name: 'y', path: ['b'] }] })],
    });
    expect(of('a.yaml#0').error).toMatchObject({ code: 'SVC80020', capture: 1 });
  });
  test('is taken only after the expectations held', async () => {
    const { of } = await runCase({
      body: [
        node(
          '0',
          'GET',
          { value: 1 },
          { expect: [condition(compare(path('result'), '==', literal(2)))], save_as: [{ name: 'x' }] },
        ),
        node('1', 'GET', { value: { ref: { ...variable('x'), default: 'unset' } } }),
      ],
    });
    expect(of('a.yaml#1').result).toBe('unset');
  });
});
