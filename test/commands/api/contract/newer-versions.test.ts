import { describe, expect, test } from 'vitest';

import type { Json, JsonObject } from '#schemas/types/json.ts';
import {
  contractFindings,
  type ContractResponse,
  type Interaction,
} from '#stdlib/api/interfaces/contract/contract-file.ts';
import { responseMismatches } from '#stdlib/api/interfaces/contract/exchange.ts';
import { inVersion2 } from '#stdlib/api/interfaces/contract/newer-versions.ts';

import { fits, readXml } from './reading.ts';

/** A contract as other programs write it. */
function written(version: string, interaction: JsonObject): JsonObject {
  return {
    consumer: { name: 'web' },
    provider: { name: 'jobs' },
    interactions: [{ description: 'a job', ...interaction }],
    metadata: { pactSpecification: { version } },
  };
}

function read(contract: JsonObject): Interaction {
  const value = inVersion2(contract);
  expect(contractFindings(value)).toEqual([]);
  return (value as unknown as { interactions: Interaction[] }).interactions[0] as Interaction;
}

const request = { method: 'GET', path: '/jobs/7' };
const rule = (...matchers: Json[]): JsonObject => ({ combine: 'AND', matchers });

test('a contract of version 4 has its states, query, headers and body', () => {
  const {
    providerStates,
    request: asked,
    response,
  } = read(
    written('4.0', {
      type: 'Synchronous/HTTP',
      providerStates: [{ name: 'job 7', params: { id: 7 } }, { name: 'ann' }],
      request: {
        method: 'POST',
        path: '/jobs',
        query: { tag: ['a b', 'c'], q: ['x'] },
        headers: { Accept: ['text/csv', 'text/plain'] },
        body: { content: { name: 'n' }, contentType: 'application/json', encoded: false },
        matchingRules: { path: rule({ match: 'regex', regex: '/jobs' }), header: { Accept: rule({ match: 'type' }) } },
      },
      response: {
        status: 200,
        body: { content: 'YSxi', contentType: 'text/csv', encoded: 'base64' },
        matchingRules: { status: { '': rule({ match: 'statusCode', status: 'success' }) } },
      },
    }),
  );
  expect(providerStates).toEqual([{ name: 'job 7', params: { id: 7 } }, { name: 'ann' }]);
  expect(asked).toEqual({
    method: 'POST',
    path: '/jobs',
    query: 'tag=a+b&tag=c&q=x',
    headers: { Accept: 'text/csv, text/plain', 'Content-Type': 'application/json' },
    body: { name: 'n' },
    matchingRules: { '$.path': { match: 'regex', regex: '/jobs' }, "$.headers['Accept']": { match: 'type' } },
  });
  expect(response).toMatchObject({ body: 'a,b', headers: { 'Content-Type': 'text/csv' } });
  const judged = (status: number): readonly string[] =>
    responseMismatches(
      response,
      { status, headers: { 'content-type': 'text/csv' }, body: 'a,b', text: 'a,b' },
      fits,
      readXml,
    );
  expect([judged(201), judged(404)]).toEqual([[], ['status: expected success, got 404']]);
});

test('a contract that was read and written is read again', () => {
  const response = { status: 200, body: { id: 1 }, matchingRules: { body: { '$.id': rule({ match: 'integer' }) } } };
  const once = inVersion2(written('3.0.0', { request: { ...request, query: { a: ['1'] } }, response }));
  expect(inVersion2(once)).toEqual(once);
});

describe('a rule of version 3 or 4', () => {
  const judge = (rules: JsonObject, expected: Json, actual: Json): readonly string[] => {
    const response = { status: 200, body: expected, matchingRules: { body: rules } };
    const { response: wanted } = read(written('3.0.0', { request, response })) as { response: ContractResponse };
    return responseMismatches(wanted, { status: 200, headers: {}, body: actual }, fits, readXml);
  };
  const variants = [0, 1].map((index) => ({ index, rules: { '$.id': rule({ match: 'integer' }) } }));
  test.each<[about: string, matchers: Json[], expected: Json, right: Json, wrong: Json, message: string]>([
    ['integer', [{ match: 'integer' }], 1, 2, 2.5, 'expected integer, got 2.5'],
    ['decimal', [{ match: 'decimal' }], 1.5, 2.25, '2.25', 'expected decimal, got "2.25"'],
    ['boolean', [{ match: 'boolean' }], true, false, 0, 'expected boolean, got 0'],
    ['null', [{ match: 'null' }], null, null, 0, 'expected null, got 0'],
    ['include', [{ match: 'include', value: 'ell' }], 'ell', 'hello', 'hi', '"hi" does not hold "ell"'],
    [
      'date',
      [{ match: 'date', format: 'yyyy-MM-dd' }],
      '',
      '2021-12-31',
      '2021-13-31',
      '"2021-13-31" is no date in the form yyyy-MM-dd',
    ],
    ['time', [{ match: 'time', format: 'HH:mm' }], '', '23:59', '25:20', '"25:20" is no time in the form HH:mm'],
    [
      'datetime',
      [{ match: 'datetime', format: "yyyy-MM-dd'T'HH:mm:ss.SSSX" }],
      '',
      '2021-01-02T03:04:05.678Z',
      '2021-01-02',
      'is no datetime',
    ],
    [
      'timestamp without a form',
      [{ match: 'timestamp' }],
      '',
      '2021-01-02T03:04:05+01:00',
      'now',
      '"now" is no timestamp',
    ],
    [
      'words and zones',
      [{ match: 'datetime', format: 'EEE, d MMM yyyy h:mm a z' }],
      '',
      'Sat, 2 Jan 2021 3:04 PM GMT',
      'Sat',
      'is no datetime',
    ],
    ['semver', [{ match: 'semver' }], '1.0.0', '2.1.0-rc.1', '2.1', 'is no version such as 1.2.3'],
    ['two at once', [{ match: 'type' }, { match: 'include', value: 'a' }], 'a', 'ab', 'b', '"b" does not hold "a"'],
    ['notEmpty', [{ match: 'notEmpty' }], [1], [2], [], 'is empty'],
    ['equality', [{ match: 'equality' }], [1], [1], [1, 1], 'expected 1 elements, got 2'],
    ['max', [{ match: 'type', max: 1 }], [1], [2], [1, 2], 'more than 1 elements (2)'],
    [
      'arrayContains',
      [{ match: 'arrayContains', variants }],
      [
        { id: 1, k: 'a' },
        { id: 2, k: 'b' },
      ],
      [{ id: 9, k: 'b' }, 5, { id: 8, k: 'a' }],
      [{ id: 9, k: 'a' }],
      'no element is like {"id":2,"k":"b"}',
    ],
    [
      'eachKey',
      [{ match: 'eachKey', rules: [{ match: 'regex', regex: 'k\\d' }] }],
      { k1: 1 },
      { k7: 'x' },
      { x: 1 },
      'the key "x": "x" does not match /k\\d/',
    ],
    [
      'eachValue',
      [{ match: 'eachValue', rules: [{ match: 'integer' }] }],
      { a: 1 },
      { z: 4 },
      { z: 'q' },
      'expected integer, got "q"',
    ],
    [
      'values',
      [{ match: 'values' }],
      { a: { v: 1 } },
      { z: { v: 1 } },
      { z: { v: 'q' } },
      '$.body.x.z.v: expected number, got string',
    ],
  ])('%s', (_about, matchers, expected, right, wrong, message) => {
    const rules = { '$.x': rule(...matchers) };
    expect(judge(rules, { x: expected }, { x: right })).toEqual([]);
    expect(judge(rules, { x: expected }, { x: wrong }).join('\n')).toContain(message);
  });

  test('one of several is enough where they are joined by OR', () => {
    const rules = { '$.x': { combine: 'OR', matchers: [{ match: 'null' }, { match: 'integer' }] } };
    expect([null, 5].map((x) => judge(rules, { x: 1 }, { x }))).toEqual([[], []]);
    expect(judge(rules, { x: 1 }, { x: 'a' })).toEqual([
      '$.body.x: expected null, got "a", and expected integer, got "a"',
    ]);
  });
});

test.each([
  [
    written('3.0.0', {
      request,
      response: { status: 200, matchingRules: { body: { '$.a': rule({ match: 'magic' }) } } },
    }),
    '/matchingRules/$.body.a/match is none of',
  ],
  [written('4.0', { type: 'Asynchronous/Messages', contents: {} }), 'only "Synchronous/HTTP" is replayed'],
  [written('3.0.0', { request, response: { status: 200 }, providerStates: ['x'] }), '/providerStates is no list'],
  [{ consumer: { name: 'a' }, provider: { name: 'b' }, messages: [] }, '/messages: only what goes over HTTP'],
])('what cannot be replayed is told (%#)', (contract, message) => {
  expect(contractFindings(inVersion2(contract)).join('\n')).toContain(message);
});
