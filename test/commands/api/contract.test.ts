import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Json, JsonObject } from '#schemas/types/json.ts';
import { contractFindings } from '#stdlib/api/interfaces/contract/contract-file.ts';
import { wholeMatch } from '#stdlib/api/interfaces/contract/verify.ts';
import type { ContractRequest, ContractResponse } from '#stdlib/api/interfaces/contract/contract-file.ts';
import { requestMismatches, responseMismatches } from '#stdlib/api/interfaces/contract/exchange.ts';
import { provider as xml } from '#runtime/adapters/xml/provider.ts';
import { unsafePath } from '#stdlib/api/interfaces/contract/safe-path.ts';

import { call, failureOf, session } from '../call.ts';
import { startHttp, type Started } from './servers.ts';

const { read: readXml } = await xml.open(undefined as never);
const fits = (pattern: string, text: string): boolean => new RegExp(`^(?:${pattern})$`, 's').test(text);

test('XML that cannot be read is told in plain words', () => {
  expect(readXml('<a/>Internal Server Error')).toBe('Extra content at the end of the document');
});

/** The published cases of version 2 for answers: what is expected, what came, whether it fits. */
describe('answers', () => {
  const json = { 'Content-Type': 'application/json' };
  const alligator = (value: Json): Json => ({ alligator: value });
  test.each<
    [string, Partial<ContractResponse>, { status?: number; headers?: Record<string, string>; body?: Json }, boolean]
  >([
    [
      'additional property with type matcher',
      { body: { myPerson: { name: 'Any name' } }, matchingRules: { '$.body.myPerson.*': { match: 'type' } } },
      { body: { myPerson: { name: 'Jon Peterson' } } },
      true,
    ],
    [
      'array in different order',
      { body: alligator({ favouriteColours: ['red', 'blue'] }) },
      { body: alligator({ favouriteColours: ['blue', 'red'] }) },
      false,
    ],
    [
      'array with regex matcher',
      {
        body: { myDates: ['29/10/2015'] },
        matchingRules: {
          '$.body.myDates': { match: 'type' },
          '$.body.myDates[*]': { match: 'regex', regex: '\\d{2}/\\d{2}/\\d{4}' },
        },
      },
      { body: { myDates: ['01/11/2010', '15/12/2014', '30/06/2015'] } },
      true,
    ],
    [
      'array with type matcher',
      { body: { myDates: [10] }, matchingRules: { '$.body.myDates[*]': { match: 'type' } } },
      { body: { myDates: [20, 5, 1_910_101] } },
      true,
    ],
    [
      'array with type matcher mismatch',
      { body: { myDates: [10] }, matchingRules: { '$.body.myDates[*]': { match: 'type' } } },
      { body: { myDates: [20, 5, '100299'] } },
      false,
    ],
    [
      'deeply nested objects',
      { body: { a: { b: { c: { d: 1 } } } } },
      { body: { a: { b: { c: { d: 1, e: 2 } }, f: 3 } } },
      true,
    ],
    ['different value found at index', { body: ['red', 'blue'] }, { body: ['red', 'taupe'] }, false],
    [
      'different value found at key',
      { body: alligator({ name: 'Mary' }) },
      { body: alligator({ name: 'Fred' }) },
      false,
    ],
    ['keys out of order match', { body: { a: 1, b: 2 } }, { body: { b: 2, a: 1 } }, true],
    [
      'matches with floats',
      {
        headers: json,
        body: [{ product: { price: 500.55 } }],
        matchingRules: { '$.body.alligator.feet': { match: 'regex', regex: '\\d(\\.\\d{1,2})' } },
      },
      { headers: json, body: [{ product: { price: 500.55 } }] },
      true,
    ],
    [
      'matches with regex',
      {
        body: alligator({ name: 'Mary', feet: 4 }),
        matchingRules: { '$.body.alligator.name': { match: 'regex', regex: '\\w+' } },
      },
      { body: alligator({ name: 'Harry', feet: 4 }) },
      true,
    ],
    [
      'rule of a header in other capitals',
      {
        headers: { 'X-Request-Id': 'abc' },
        matchingRules: { '$.headers.x-request-id': { match: 'regex', regex: '\\w+' } },
      },
      { headers: { 'x-request-id': 'def' } },
      true,
    ],
    [
      'matches with type',
      {
        body: alligator({ name: 'Mary', feet: 4 }),
        matchingRules: { '$.body.alligator.name': { match: 'type' }, '$.body.alligator.feet': { match: 'type' } },
      },
      { body: alligator({ name: 'Harry the very hungry alligator', feet: 5 }) },
      true,
    ],
    ['missing body', {}, { body: alligator({}) }, true],
    ['missing index', { body: ['red', 'blue'] }, { body: ['red'] }, false],
    ['missing key', { body: { a: 1, b: 2 } }, { body: { a: 1 } }, false],
    ['no body found when null expected', { body: null }, {}, true],
    ['not null body found when null expected', { body: null }, { body: alligator({}) }, false],
    ['not null found at key when null expected', { body: { a: null } }, { body: { a: '' } }, false],
    ['not null found in array when null expected', { body: ['1', null] }, { body: ['1', '2'] }, false],
    ['null body', { body: null }, { body: null }, true],
    ['null found at key where not null expected', { body: { a: 'x' } }, { body: { a: null } }, false],
    ['number found at key when string expected', { body: { a: '4' } }, { body: { a: 4 } }, false],
    ['string found in array when number expected', { body: [1] }, { body: ['1'] }, false],
    [
      'objects in array first matches',
      { body: [{ favouriteColor: 'red' }] },
      { body: [{ favouriteColor: 'red', favouriteNumber: 2 }] },
      true,
    ],
    [
      'objects in array no matches',
      { body: [{ favouriteColor: 'red' }] },
      { body: [{ favouriteColor: 'blue' }, { favouriteColor: 'red' }] },
      false,
    ],
    [
      'objects in array type matching',
      {
        body: [{ name: 'John Smith', age: 50 }],
        matchingRules: { '$.body[*]': { match: 'type' }, '$.body[*].*': { match: 'type' } },
      },
      {
        body: [
          { name: 'Peter', age: 22, gender: 'Male' },
          { name: 'John', age: 64 },
        ],
      },
      true,
    ],
    [
      'objects in array with type mismatching',
      {
        body: [{ name: 'John', age: 50 }],
        matchingRules: { '$.body[*]': { match: 'type' }, '$.body[*].*': { match: 'type' } },
      },
      { body: [{ name: 'Peter', age: '22' }] },
      false,
    ],
    [
      'plain text that does not match',
      { headers: { 'Content-Type': 'text/plain' }, body: 'alligator named mary' },
      { headers: { 'Content-Type': 'text/plain' }, body: 'alligator named fred' },
      false,
    ],
    ['plain text that matches', { body: 'alligator named mary' }, { body: 'alligator named mary' }, true],
    ['property name is different case', { body: { a: 1 } }, { body: { A: 1 } }, false],
    ['unexpected index with null value', { body: ['a'] }, { body: ['a', null] }, false],
    ['unexpected key with null value', { body: { a: 1 } }, { body: { a: 1, b: null } }, true],
    ['empty headers', { headers: {} }, { headers: {} }, true],
    [
      'header name is different case',
      { headers: { Accept: 'alligators' } },
      { headers: { ACCEPT: 'alligators' } },
      true,
    ],
    [
      'header value is different case',
      { headers: { Accept: 'alligators' } },
      { headers: { Accept: 'Alligators' } },
      false,
    ],
    [
      'order of comma separated header values different',
      { headers: { Accept: 'alligators, hippos' } },
      { headers: { Accept: 'hippos, alligators' } },
      false,
    ],
    ['unexpected header found', { headers: {} }, { headers: { Accept: 'alligators' } }, true],
    [
      'whitespace after comma different',
      { headers: { Accept: 'alligators,hippos' } },
      { headers: { Accept: 'alligators, hippos' } },
      true,
    ],
    [
      'header by regex',
      { headers: { 'X-Trace': 'a1' }, matchingRules: { '$.headers.X-Trace': { match: 'regex', regex: '[a-f0-9]+' } } },
      { headers: { 'x-trace': 'ff00' } },
      true,
    ],
    ['different status', { status: 202 }, { status: 400 }, false],
    [
      'additional property with type matcher that does not match',
      { body: { myPerson: { name: 'Any name' } }, matchingRules: { '$.body.myPerson.*': { match: 'type' } } },
      { body: { myPerson: { name: 39 } } },
      false,
    ],
    ['no body no content type', {}, { headers: json, body: alligator({}) }, true],
    ['null body no content type', { body: null }, {}, true],
    ['null found in array when not null expected', { body: ['1', '2'] }, { body: ['1', null] }, false],
    ['number found in array when string expected', { body: ['1', '2'] }, { body: ['1', 2] }, false],
    ['string found at key when number expected', { body: { feet: 4 } }, { body: { feet: '4' } }, false],
    [
      'objects in array second matches',
      { body: [{ favouriteColor: 'red' }] },
      { body: [{ favouriteColor: 'blue' }, { favouriteColor: 'red' }] },
      false,
    ],
    ['unexpected index with not null value', { body: ['a'] }, { body: ['a', 'b'] }, false],
    ['unexpected key with not null value', { body: { a: 1 } }, { body: { a: 1, b: 2 } }, true],
    ['an empty text where nothing came', { body: '' }, {}, true],
    ['an empty text where something came', { body: '' }, { body: 'x' }, false],
    ['the root by type', { body: { a: 1 }, matchingRules: { '$.body': { match: 'type' } } }, { body: { a: 2 } }, true],
    ['another root by type', { body: { a: 1 }, matchingRules: { '$.body': { match: 'type' } } }, { body: [1] }, false],
    [
      'a missing key below a type',
      { body: { a: { b: 1 } }, matchingRules: { '$.body': { match: 'type' } } },
      { body: { a: {} } },
      false,
    ],
    [
      'the rule with names before the one with wildcards',
      {
        body: { a: [{ id: 'x' }] },
        matchingRules: { '$.body.a[*].id': { match: 'regex', regex: '\\d+' }, '$.body.*[*].*': { match: 'type' } },
      },
      { body: { a: [{ id: 'y' }] } },
      false,
    ],
    [
      'the rule of one element before that of all',
      {
        body: { a: ['x', 'y'] },
        matchingRules: { '$.body.a[*]': { match: 'type' }, '$.body.a[1]': { match: 'regex', regex: '\\d' } },
      },
      { body: { a: ['z', 'z'] } },
      false,
    ],
    [
      'a least number that does not speak of lists inside',
      { body: { a: [{ b: [1] }] }, matchingRules: { '$.body.a': { match: 'type', min: 2 } } },
      { body: { a: [{ b: [1] }, { b: [2] }] } },
      true,
    ],
    [
      'elements of several kinds, each by the type of its own example',
      { body: { a: [1, 'x'] }, matchingRules: { '$.body': { match: 'type' } } },
      { body: { a: [2, 'y', 3] } },
      true,
    ],
    [
      'an element whose example is of another type',
      { body: { a: [1, 'x'] }, matchingRules: { '$.body': { match: 'type' } } },
      { body: { a: [2, 3] } },
      false,
    ],
    [
      'a greatest number that does not speak of lists inside',
      { body: { a: [[1, 2]] }, matchingRules: { '$.body.a': { match: 'type', max: 1 } } },
      { body: { a: [[1, 2, 3]] } },
      true,
    ],
    [
      'a number by regex',
      { body: { n: 1 }, matchingRules: { '$.body.n': { regex: '\\d+' } } },
      { body: { n: 42 } },
      true,
    ],
    [
      'null by regex',
      { body: { n: 'a' }, matchingRules: { '$.body.n': { regex: '.*' } } },
      { body: { n: null } },
      false,
    ],
    [
      'null by type',
      { body: { n: 'a' }, matchingRules: { '$.body.n': { match: 'type' } } },
      { body: { n: null } },
      false,
    ],
    [
      'a fraction by type',
      { body: { n: 1 }, matchingRules: { '$.body.n': { match: 'type' } } },
      { body: { n: 1.5 } },
      true,
    ],
    [
      'a media type without the charset',
      { headers: json },
      { headers: { 'content-type': 'application/json;charset=utf-8' } },
      true,
    ],
    [
      'another charset',
      { headers: { 'Content-Type': 'application/json; charset=UTF-16' } },
      { headers: { 'Content-Type': 'application/json; charset=UTF-8' } },
      false,
    ],
    [
      'parameters of a media type in another order',
      { headers: { 'Content-Type': 'text/x; charset=utf-8; version="1"' } },
      { headers: { 'Content-Type': 'text/x;version=1;charset=UTF-8' } },
      true,
    ],
    ['a missing header', { headers: { 'X-A': '1' } }, {}, false],
    [
      'a header by the singular name of its part',
      { headers: { 'X-A': '1' }, matchingRules: { '$.header.X-A': { match: 'regex', regex: '\\d+' } } },
      { headers: { 'x-a': '22' } },
      true,
    ],
  ])('%s', (_, expected, actual, isMatch) => {
    const found = responseMismatches(
      { status: 200, ...expected },
      { status: 200, headers: {}, ...actual },
      fits,
      readXml,
    );
    expect(found.length === 0, found.join('; ')).toBe(isMatch);
  });
});

describe('requests', () => {
  test.each<
    [
      string,
      Partial<ContractRequest>,
      {
        method?: string;
        path?: string;
        query?: string;
        headers?: Record<string, string>;
        body?: Json;
      },
      boolean,
    ]
  >([
    [
      'array with at least one element matching by example',
      {
        body: { animals: [{ name: 'Fred' }] },
        matchingRules: { '$.body.animals': { min: 1, match: 'type' }, '$.body.animals[*].*': { match: 'type' } },
      },
      { body: { animals: [{ name: 'Mary' }, { name: 'Susan' }] } },
      true,
    ],
    [
      'array with at least one element not matching example type',
      {
        body: { animals: [{ name: 'Fred' }] },
        matchingRules: { '$.body.animals': { min: 1 }, '$.body.animals[*].*': { match: 'type' } },
      },
      { body: { animals: [{ name: 'Mary' }, { name: 1 }] } },
      false,
    ],
    [
      'array size less than required',
      { body: { animals: [{ name: 'Fred' }] }, matchingRules: { '$.body.animals': { min: 2, match: 'type' } } },
      { body: { animals: [{ name: 'Fred' }] } },
      false,
    ],
    [
      'array with too many elements',
      { body: { animals: ['x'] }, matchingRules: { '$.body.animals': { max: 1, match: 'type' } } },
      { body: { animals: ['y', 'z'] } },
      false,
    ],
    [
      'array with regular expression in element',
      {
        body: { animals: [{ phone: '0415674567' }] },
        matchingRules: {
          '$.body.animals': { min: 1, match: 'type' },
          '$.body.animals[*].*': { match: 'type' },
          '$.body.animals[*].phone': { match: 'regex', regex: '\\d+' },
        },
      },
      { body: { animals: [{ phone: '333' }, { phone: '983479823479283478923' }] } },
      true,
    ],
    [
      'array with regular expression that does not match in element',
      {
        body: { animals: [{ phone: '0415674567' }] },
        matchingRules: {
          '$.body.animals': { min: 1, match: 'type' },
          '$.body.animals[*].*': { match: 'type' },
          '$.body.animals[*].phone': { match: 'regex', regex: '\\d+' },
        },
      },
      { body: { animals: [{ phone: '333' }, { phone: 'abc' }] } },
      false,
    ],
    [
      'nested arrays',
      {
        body: { animals: [{ name: 'Fred', children: [{ age: 9 }] }] },
        matchingRules: {
          '$.body.animals': { min: 1, match: 'type' },
          '$.body.animals[*].*': { match: 'type' },
          '$.body.animals[*].children': { min: 1, match: 'type' },
          '$.body.animals[*].children[*].*': { match: 'type' },
        },
      },
      {
        body: {
          animals: [
            { name: 'Mary', children: [{ age: 3 }, { age: 5 }] },
            { name: 'Jo', children: [{ age: 0 }] },
          ],
        },
      },
      true,
    ],
    [
      'nested arrays that do not match',
      {
        body: { animals: [{ children: [{ age: 9 }] }] },
        matchingRules: {
          '$.body.animals': { min: 1, match: 'type' },
          '$.body.animals[*].*': { match: 'type' },
          '$.body.animals[*].children': { min: 1, match: 'type' },
          '$.body.animals[*].children[*].*': { match: 'type' },
        },
      },
      { body: { animals: [{ children: [{ age: '3' }] }] } },
      false,
    ],
    [
      'bracket notation',
      {
        body: { 2: { str: 'jildrdmx' } },
        matchingRules: { "$['body']['2']['str']": { match: 'regex', regex: '\\w+' } },
      },
      { body: { 2: { str: 'other' } } },
      true,
    ],
    ['unexpected key', { body: { a: 1 } }, { body: { a: 1, b: 2 } }, false],
    ['query in another order', { query: 'a=Mary&b=John' }, { query: 'b=John&a=Mary' }, true],
    ['values of one name in another order', { query: 'a=1&a=2' }, { query: 'a=2&a=1' }, false],
    [
      'query by regex',
      { query: 'q=test', matchingRules: { '$.query.q[0]': { match: 'regex', regex: '[a-z]+' } } },
      { query: 'q=other' },
      true,
    ],
    [
      'fewer values of a query than its rule wants',
      { query: 'q=1', matchingRules: { '$.query.q': { match: 'type', min: 2 } } },
      { query: 'q=1' },
      false,
    ],
    [
      'more values of a query than its rule allows',
      { query: 'q=1', matchingRules: { '$.query.q': { match: 'type', max: 2 } } },
      { query: 'q=1&q=2&q=3' },
      false,
    ],
    [
      'as many values of a query as its rule allows',
      { query: 'q=1', matchingRules: { '$.query.q[*]': { match: 'regex', regex: '\\d' }, '$.query.q': { min: 1 } } },
      { query: 'q=1&q=2' },
      true,
    ],
    ['no body found when null expected', { body: null }, {}, true],
    ['not null body found when null expected', { body: null }, { body: { a: 1 } }, false],
    [
      'an unexpected key below a type',
      { body: { a: { b: 1 } }, matchingRules: { '$.body': { match: 'type' } } },
      { body: { a: { b: 2, c: 3 } } },
      false,
    ],
    ['a header that was not expected', {}, { headers: { 'X-A': '1' } }, true],
    ['a query that ends with &', { query: 'a=1&b=2' }, { query: 'a=1&b=2&' }, true],
    ['an encoded sign of a value', { query: 'a=b=c&d=1' }, { query: 'a=b%3Dc&d=1' }, true],
    ['names between values of one name', { query: 'a=1&a=2&b=3' }, { query: 'a=1&b=3&a=2' }, true],
    ['a missing query', { query: 'a=1&b=2' }, { query: 'a=1' }, false],
    ['a slash at the end', { path: '/a' }, { path: '/a/' }, false],
    ['no path where / is expected', { path: '/' }, { path: '' }, false],
    ['another method', { method: 'POST' }, { method: 'GET' }, false],
    ['unexpected query', { query: 'a=1' }, { query: 'a=1&b=2' }, false],
    [
      'content type with charset',
      { headers: { 'Content-Type': 'application/json;charset=UTF-8' } },
      { headers: { 'Content-Type': 'application/json; charset=utf-8' } },
      true,
    ],
    ['method in another case', { method: 'get' }, { method: 'GET' }, true],
    ['another path', { path: '/a' }, { path: '/b' }, false],
    [
      'a path by regex',
      { path: '/a/1', matchingRules: { '$.path': { match: 'regex', regex: '/a/\\d+' } } },
      { path: '/a/77' },
      true,
    ],
  ])('%s', (_, expected, actual, isMatch) => {
    const full = { method: 'GET', path: '/', query: '', headers: {}, ...actual };
    const found = requestMismatches({ method: 'GET', path: '/', ...expected }, full, fits, readXml);
    expect(found.length === 0, found.join('; ')).toBe(isMatch);
  });
});

/** XML, after the published cases of version 2 for requests and answers. */
describe('bodies of XML', () => {
  const typed = { 'Content-Type': 'application/xml' };
  const colours = (...names: string[]): string =>
    `<?xml version="1.0"?><pen><of>${names.map((name) => `<c>${name}</c>`).join('')}</of></pen>`;
  const animals = (...all: string[]): string => `<animals>${all.map((one) => `<cat ${one}/>`).join('')}</animals>`;
  const anyAnimal = { '$.body.animals': { min: 1, match: 'type' }, '$.body.animals[0]': { match: 'type' } };
  const colour = { '$.body.pen.of.c.#text': { match: 'regex', regex: 'red|blue' } };
  type Rules = NonNullable<ContractRequest['matchingRules']>;
  test.each<[string, 'request' | 'answer' | 'both', string, string, Rules | undefined, boolean]>([
    [
      'the same in other words',
      'both',
      '<a x="1" y="2"><b>t</b></a>',
      '<a y="2"  x="1">\n <b> t </b>\n</a>',
      undefined,
      true,
    ],
    ['elements in another order', 'both', colours('red', 'blue'), colours('blue', 'red'), undefined, false],
    [
      'elements in another order with a rule for their text',
      'both',
      colours('red', 'blue'),
      colours('blue', 'red'),
      colour,
      true,
    ],
    ['a text that breaks its rule', 'both', colours('red'), colours('green'), colour, false],
    ['several by one example', 'both', animals('name="Fred"'), animals('name="Mary"', 'name="Sue"'), anyAnimal, true],
    ['fewer than the least', 'both', animals('name="Fred"'), '<animals/>', anyAnimal, false],
    [
      'more than the most',
      'both',
      animals('n="1"'),
      animals('n="2"', 'n="3"'),
      { '$.body.animals': { match: 'type', max: 1 } },
      false,
    ],
    [
      'an attribute by its own rule',
      'both',
      animals('n="04"'),
      animals('n="333"', 'n="98"'),
      { ...anyAnimal, "$.body.animals[*]['@n']": { match: 'regex', regex: '\\d+' } },
      true,
    ],
    [
      'an attribute that breaks its rule',
      'both',
      animals('n="04"'),
      animals('n="333"', 'n="x"'),
      { ...anyAnimal, "$.body.animals[*]['@n']": { match: 'regex', regex: '\\d+' } },
      false,
    ],
    [
      'a missing attribute',
      'both',
      animals('name="J" age="5"'),
      animals('name="P" age="2" more="1"', ''),
      { '$.body[*]': { match: 'type' }, '$.body[*].*': { match: 'type' } },
      false,
    ],
    ['a further attribute of an answer', 'answer', '<a x="1"/>', '<a x="1" y="2"/>', undefined, true],
    ['a further attribute of a request', 'request', '<a x="1"/>', '<a x="1" y="2"/>', undefined, false],
    ['a further element of an answer', 'answer', '<a><b/></a>', '<a><b/><c/></a>', undefined, true],
    ['a further element of a request', 'request', '<a><b/></a>', '<a><b/><c/></a>', undefined, false],
    [
      'a further element of a known name of an answer',
      'answer',
      '<a><b>1</b></a>',
      '<a><b>1</b><b/></a>',
      undefined,
      true,
    ],
    [
      'a further element of a known name of a request',
      'request',
      '<a><b>1</b></a>',
      '<a><b>1</b><b/></a>',
      undefined,
      false,
    ],
    ['the first of its name differs', 'answer', '<a><b n="1"/></a>', '<a><b n="2"/><b n="1"/></a>', undefined, false],
    ['one too few of a name', 'both', '<a><b/><b/></a>', '<a><b/></a>', undefined, false],
    ['other names in another order', 'both', '<a><b/><c/></a>', '<a><c/><b/></a>', undefined, true],
    [
      'another name in an element held to its type',
      'both',
      '<a><b/></a>',
      '<a><b/><c/></a>',
      { '$.body.a': { match: 'type' } },
      false,
    ],
    [
      'another name below an element held to its type',
      'answer',
      '<a><b><c/></b></a>',
      '<a><b><c/><d/></b></a>',
      { '$.body.a': { match: 'type' } },
      true,
    ],
    [
      'no element of a name held to its type',
      'both',
      '<a><b/><c/></a>',
      '<a><b/></a>',
      { '$.body': { match: 'type' } },
      false,
    ],
    [
      'no element of a name that need not come',
      'both',
      '<a><b/></a>',
      '<a/>',
      { '$.body.a': { match: 'type', min: 0 } },
      true,
    ],
    [
      'elements by name and number',
      'both',
      animals('n="1"'),
      animals('n="2"', 'n="x"'),
      {
        '$.body.animals': { match: 'type' },
        "$.body.animals.cat[*]['@n']": { match: 'regex', regex: '\\d+' },
      },
      false,
    ],
    [
      'the second of its name',
      'both',
      animals('n="1"', 'n="x"'),
      animals('n="1"', 'n="y"'),
      { "$.body.animals.cat[1]['@n']": { match: 'regex', regex: '[a-z]' } },
      true,
    ],
    [
      'the second of another name',
      'both',
      animals('n="1"', 'n="x"'),
      animals('n="1"', 'n="y"'),
      { "$.body.animals.dog[1]['@n']": { match: 'regex', regex: '[a-z]' } },
      false,
    ],
    [
      'attributes of any child',
      'both',
      '<a><b n="1"/><c n="2"/></a>',
      '<a><b n="3"/><c n="4"/></a>',
      { "$.body.a.*['@n']": { match: 'type' } },
      true,
    ],
    ['another root', 'both', '<a/>', '<b/>', undefined, false],
    ['another namespace', 'both', '<a xmlns="urn:1"/>', '<a xmlns="urn:2"/>', undefined, false],
    [
      'another prefix of the same namespace',
      'both',
      '<p:a xmlns:p="urn:1"><p:b/></p:a>',
      '<p:a xmlns:p="urn:1"><p:b></p:b></p:a>',
      undefined,
      true,
    ],
    ['no XML as the example', 'both', '<a/></b>', '<a/>', undefined, false],
    ['no XML as the answer', 'both', '<a/>', 'a', undefined, false],
  ])('%s (%s)', (_, kind, expected, actual, matchingRules, isMatch) => {
    const wanted = { headers: typed, body: expected, ...(matchingRules ? { matchingRules } : {}) };
    const message = { headers: typed, body: actual, text: actual };
    const found = {
      answer: responseMismatches({ status: 200, ...wanted }, { status: 200, ...message }, fits, readXml),
      request: requestMismatches(
        { method: 'POST', path: '/', ...wanted },
        { method: 'POST', path: '/', query: '', ...message },
        fits,
        readXml,
      ),
    };
    for (const each of ['answer', 'request'] as const)
      if (kind === 'both' || kind === each) expect(found[each].length === 0, found[each].join('; ')).toBe(isMatch);
  });
});

describe('a path', () => {
  test.each(['/', '/goods/7', '/a%20b', '/a/..b/c', '/%E2%82%AC'])('%s may be sent', (path) =>
    expect(unsafePath(path)).toBeUndefined(),
  );
  test.each([
    'goods',
    'http://other/',
    '//other/',
    '/../x',
    '/a/%2e%2e/x',
    '/a/%252e%252e/x',
    '/a?x',
    '/a#x',
    '/a\\b',
    '/a%5cb',
    '/a\nb',
    '/a%0ab',
    '/%zz',
  ])('%s may not', (path) => expect(unsafePath(path)).toEqual(expect.any(String)));
});

test.each([
  ['\\d+', '42', true],
  ['\\d+', 'a42', false],
  ['(?i)TEA', 'tea', true],
  ['\\A\\d+\\z', '42', true],
  ['\\A\\d+\\Z', '42a', false],
  ['a\\\\z', 'a\\z', true],
])('the pattern %s for %s: %s', (pattern, text, isMatch) => {
  const match = (one: string, flags: string): never => (new RegExp(one, flags).exec(text) as never) ?? (null as never);
  expect(wholeMatch({ regex: { match } as never })(pattern, text)).toBe(isMatch);
});

describe('contracts', () => {
  let folder = '';
  let server: Started;
  const states: unknown[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-contract-'));
    server = await startHttp((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        if (request.url === '/states') {
          states.push(JSON.parse(body));
          response.writeHead(body.includes('impossible') ? 500 : 200).end();
        } else if (request.url === '/api/login')
          response.writeHead(200, { 'content-type': 'application/json' }).end('{"token":"abcdefghijkl","user":"ada"}');
        else if (request.url?.startsWith('/api/goods/'))
          response
            .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
            .end(
              JSON.stringify({ id: Number(request.url.split('/').at(-1)?.split('?')[0]), name: 'tea', added: true }),
            );
        else response.writeHead(302, { location: '/api/goods/1' }).end();
      });
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const write = (name: string, value: unknown): string => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };

  test('are written from what was requested, without secrets, and hold against the provider', async () => {
    await using unit = await session();
    for (const path of ['/goods/7?x=1', '/goods/7?x=1', '/goods/8'])
      await unit.call('AT_test_api_method', { http_method: 'get', test_url: `${server.url}/api${path}` });
    await unit.call('AT_test_api_method', {
      http_method: 'post',
      test_url: `${server.url}/api/login`,
      json: { user: 'ada', password: 'secret-word' },
    });
    const output_path = join(folder, 'new', 'web-goods.json');
    await unit.call('AT_write_contract', { output_path, consumer: 'web', provider: 'goods', base_path: '/api' });
    const text = readFileSync(output_path, 'utf8');
    expect(text).not.toContain('secret-word');
    expect(text).not.toContain('abcdefghijkl');
    const contract = JSON.parse(text) as { interactions: JsonObject[]; metadata: JsonObject };
    expect(contract.metadata).toEqual({ pactSpecification: { version: '2.0.0' } });
    expect(contract.interactions.map(({ description }) => description)).toEqual([
      'GET /goods/7?x=1 -> 200',
      'GET /goods/8 -> 200',
      'POST /login -> 200',
    ]);
    expect(contract.interactions[0]).toMatchObject({
      request: { method: 'GET', path: '/goods/7', query: 'x=1' },
      response: {
        status: 200,
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
        matchingRules: { '$.body': { match: 'type' } },
      },
    });
    await expect(
      unit.call('AT_verify_contract', { contract_path: output_path, base_url: `${server.url}/api/` }),
    ).resolves.toMatchObject({ ok: true });
    const only = join(folder, 'only.json');
    await unit.call('AT_write_contract', {
      output_path: only,
      consumer: 'web',
      provider: 'goods',
      filter: '^GET /api/goods/8$',
      body_rule: 'equality',
    });
    expect(JSON.parse(readFileSync(only, 'utf8'))).toMatchObject({ interactions: [{ response: { body: { id: 8 } } }] });
    expect(
      (JSON.parse(readFileSync(only, 'utf8')) as { interactions: { response: object }[] }).interactions[0]?.response,
    ).not.toHaveProperty('matchingRules');
  });

  test('that do not hold are told interaction by interaction', async () => {
    const interaction = (description: string, path: string, more: object = {}): object => ({
      description,
      request: { method: 'get', path },
      response: { status: 200, body: { id: 1 } },
      ...more,
    });
    const contract_path = write('broken.json', {
      consumer: { name: 'web' },
      provider: { name: 'goods' },
      interactions: [
        interaction('good', '/goods/1', { providerState: 'there is a good' }),
        interaction('another value', '/goods/2'),
        interaction('a redirect', '/moved'),
        interaction('outside', '/../admin'),
        interaction('an impossible state', '/goods/1', { providerState: 'impossible' }),
      ],
    });
    const error = await failureOf(
      call('AT_verify_contract', {
        contract_path,
        base_url: `${server.url}/api`,
        provider_states_url: `${server.url}/states`,
      }),
    );
    expect(error.facts).toMatchObject({ code: 'SVC84032', name: 'APIContractException' });
    expect(error.options.result).toMatchObject({
      ok: false,
      interactions: [
        { ok: true },
        { mismatches: ['$.body.id: expected 1, got 2'] },
        { mismatches: ['status: expected 200, got 302', '$.body: is missing'] },
        { mismatches: ['the path "/../admin" was not sent: it climbs out of its folder'] },
        { mismatches: ['the provider state "impossible" could not be set up: status 500'] },
      ],
    });
    expect(states).toEqual([
      { consumer: 'web', state: 'there is a good' },
      { consumer: 'web', state: 'impossible' },
    ]);
  });

  test('go on after a connection that fails, and hold nothing without interactions', async () => {
    const base = { consumer: { name: 'a' }, provider: { name: 'b' } };
    const one = { description: 'x', request: { method: 'GET', path: '/' }, response: { status: 200 } };
    const lost = await failureOf(
      call('AT_verify_contract', {
        contract_path: write('lost.json', { ...base, interactions: [one, { ...one, description: 'y' }] }),
        base_url: 'http://127.0.0.1:1',
      }),
    );
    expect((lost.options.result as { interactions: unknown[] }).interactions).toHaveLength(2);
    const contract_path = write('empty.json', { ...base, interactions: [] });
    const openapi_path = write('any.json', { openapi: '3.1.0', paths: {} });
    const lines = await Promise.all(
      [
        call('AT_verify_contract', { contract_path, base_url: server.url }),
        call('AT_check_contract_against_openapi', { contract_path, openapi_path }),
      ].map(failureOf),
    );
    for (const { message } of lines) expect(message).toContain('has no interactions: there is nothing to judge');
  });

  test('are compared with a specification', async () => {
    const openapi_path = write('openapi.json', {
      openapi: '3.1.0',
      servers: [{ url: '/api' }],
      paths: {
        '/goods/{id}': {
          get: {
            responses: {
              '2XX': {
                content: {
                  'application/json': {
                    schema: { required: ['id', 'price'], properties: { id: { type: 'integer' } } },
                  },
                },
              },
            },
          },
        },
      },
    });
    const contract_path = write('compared.json', {
      consumer: { name: 'a' },
      provider: { name: 'b' },
      interactions: [
        {
          description: 'fits',
          request: { method: 'GET', path: '/api/goods/1' },
          response: { status: 200, body: { id: 1, price: 2 } },
        },
        { description: 'no operation', request: { method: 'PUT', path: '/goods/1' }, response: { status: 200 } },
        {
          description: 'a query',
          request: { method: 'GET', path: '/goods/1', query: 'x=1' },
          response: { status: 404, body: {} },
        },
      ],
    });
    const error = await failureOf(call('AT_check_contract_against_openapi', { contract_path, openapi_path }));
    expect(error.options.result).toEqual({
      unfit: 3,
      report: expect.stringContaining('[FAIL] a query: status 404 is not declared'),
      ok: false,
      consumer: 'a',
      provider: 'b',
      checked: 3,
      problems: [
        { interaction: 'no operation', problem: 'the document has no operation PUT /goods/1' },
        { interaction: 'a query', problem: 'query parameter "x" is not declared' },
        { interaction: 'a query', problem: 'status 404 is not declared' },
      ],
    });
  });

  test('are read whole: all mistakes at once, each with its place', () => {
    expect(
      contractFindings({
        consumer: {},
        provider: { name: 'b' },
        interactions: [
          {
            description: 'x',
            request: { method: 'GET', path: 1 },
            response: { status: '200', matchingRules: { body: { match: 'type' }, '$.a': { match: 'regex' } } },
          },
          { description: 'x', request: { path: '/' }, response: { status: 200 } },
        ],
      }),
    ).toEqual([
      '/consumer/name is no text',
      '/interactions/0/request/path is no text',
      '/interactions/0/response/status is no whole number from 100 to 599',
      '/interactions/0/response/matchingRules/body is no path that begins with $',
      '/interactions/0/response/matchingRules/$.a/regex is no text',
      '/interactions/1/description is that of /interactions/0',
      '/interactions/1/request/method is no text',
    ]);
  });
});
