import { describe, expect, test } from 'vitest';

import type { Json } from '#schemas/types/json.ts';
import type { ContractRequest } from '#stdlib/api/interfaces/contract/contract-file.ts';
import { requestMismatches } from '#stdlib/api/interfaces/contract/exchange.ts';

import { fits, readXml } from './reading.ts';

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
