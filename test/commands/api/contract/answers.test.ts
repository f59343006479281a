import { describe, expect, test } from 'vitest';

import type { Json } from '#schemas/types/json.ts';
import type { ContractResponse } from '#stdlib/api/interfaces/contract/contract-file.ts';
import { responseMismatches } from '#stdlib/api/interfaces/contract/exchange.ts';

import { fits, readXml } from './reading.ts';

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
