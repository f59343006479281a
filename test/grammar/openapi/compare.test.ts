import { describe, expect, test } from 'vitest';

import { compareDocuments } from '#grammar/openapi/compare.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

const document = (operation: JsonObject, components: JsonObject = {}): JsonObject => ({
  openapi: '3.1.0',
  paths: { '/a': { post: operation } },
  components,
});
const sent = (schema: Json): JsonObject =>
  document({ requestBody: { content: { 'application/json': { schema } } }, responses: {} });
const answered = (schema: Json): JsonObject =>
  document({ responses: { '200': { description: '', content: { 'application/json': { schema } } } } });
const shown = (left: JsonObject, right: JsonObject): string[] =>
  compareDocuments(left, right).map(
    ({ kind, place, what, breaking }) => `${kind} ${place}: ${what}${breaking ? ' !' : ''}`,
  );

describe('what breaks callers', () => {
  test.each<[string, Json, Json, string[], string[]]>([
    ['nothing', { type: 'string' }, { type: 'string' }, [], []],
    [
      'a wider type',
      { type: 'integer' },
      { type: 'number' },
      ['changed request body: type integer has become number'],
      ['changed response 200: type integer has become number !'],
    ],
    [
      'another type',
      { type: 'string' },
      { type: 'integer' },
      ['changed request body: type string has become integer !'],
      ['changed response 200: type string has become integer !'],
    ],
    [
      'null allowed',
      { type: 'string' },
      { type: 'string', nullable: true },
      ['changed request body: type string has become null or string'],
      ['changed response 200: type string has become null or string !'],
    ],
    [
      'a field gone',
      { properties: { a: {} } },
      { properties: {} },
      ['removed request body $.a: is gone'],
      ['removed response 200 $.a: is gone !'],
    ],
    [
      'a required field',
      { properties: {} },
      { properties: { a: {} }, required: ['a'] },
      ['added request body $.a: is new and required !'],
      ['added response 200 $.a: is new and required'],
    ],
    [
      'no longer required',
      { properties: { a: {} }, required: ['a'] },
      { properties: { a: {} } },
      ['changed request body $.a: is no longer required'],
      ['changed response 200 $.a: is no longer required !'],
    ],
    [
      'values gone and come',
      { enum: [1, 2] },
      { enum: [2, 3] },
      ['removed request body: values [1] are gone !', 'added request body: values [3] are new'],
      ['removed response 200: values [1] are gone', 'added response 200: values [3] are new'],
    ],
    [
      'a limit',
      { items: { maxLength: 9 } },
      { items: { maxLength: 5 } },
      ['changed request body $[]: maxLength 9 has become 5 !'],
      ['changed response 200 $[]: maxLength 9 has become 5'],
    ],
    [
      'a constant',
      { const: 'a' },
      { const: 'b' },
      ['removed request body: values ["a"] are gone !', 'added request body: values ["b"] are new'],
      ['removed response 200: values ["a"] are gone', 'added response 200: values ["b"] are new'],
    ],
    [
      'an exclusive bound',
      { minimum: 0 },
      { exclusiveMinimum: 0 },
      ['changed request body: minimum 0 has become null', 'changed request body: exclusiveMinimum null has become 0 !'],
      ['changed response 200: minimum 0 has become null', 'changed response 200: exclusiveMinimum null has become 0'],
    ],
    ['an exclusive bound in the words of 3.0', { minimum: 0, exclusiveMinimum: true }, { exclusiveMinimum: 0 }, [], []],
    [
      'a closed object',
      { type: 'object' },
      { type: 'object', additionalProperties: false },
      ['changed request body $.*: further properties are no longer allowed !'],
      ['changed response 200 $.*: further properties are no longer allowed'],
    ],
    [
      'values of a map',
      { additionalProperties: { type: 'string' } },
      { additionalProperties: { type: 'integer' } },
      ['changed request body $.*: type string has become integer !'],
      ['changed response 200 $.*: type string has become integer !'],
    ],
    [
      'a choice where anything was allowed',
      {},
      { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      ['changed request body: anyOf has 2 parts instead of 0 !'],
      ['changed response 200: anyOf has 2 parts instead of 0'],
    ],
    [
      'parts in another order',
      { oneOf: [{ type: 'string' }, { properties: { a: {} } }] },
      { oneOf: [{ properties: { a: { type: 'string' } } }, { type: 'string' }] },
      ['changed request body $.a: type anything has become string !'],
      ['changed response 200 $.a: type anything has become string'],
    ],
    [
      'a field that has moved into a part',
      { type: 'object', properties: { a: {}, b: {} }, required: ['a'] },
      {
        allOf: [
          { type: 'object', properties: { a: {} } },
          { properties: { b: {} }, required: ['a'] },
        ],
      },
      [],
      [],
    ],
    [
      'a required field that nothing describes',
      { allOf: [{ properties: { a: {} } }] },
      { allOf: [{ properties: { a: {} } }, { required: ['b'] }] },
      ['added request body $.b: is new and required !'],
      ['added response 200 $.b: is new and required'],
    ],
    [
      'a field that the server alone sets',
      { properties: { a: {} } },
      { properties: { a: {}, id: { type: 'integer', readOnly: true } }, required: ['id'] },
      [],
      ['added response 200 $.id: is new and required'],
    ],
    ['no schema and one that takes anything', true, {}, [], []],
  ])('%s', (_, left, right, request, response) => {
    expect(shown(sent(left), sent(right))).toEqual(request);
    expect(shown(answered(left), answered(right))).toEqual(response);
  });

  test('is seen behind references, which may lead in circles', () => {
    const tree = (type: string): JsonObject =>
      document(
        {
          responses: {
            '200': {
              description: '',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } },
            },
          },
        },
        { schemas: { Tree: { properties: { id: { type }, next: { $ref: '#/components/schemas/Tree' } } } } },
      );
    const changes = shown(tree('string'), tree('integer'));
    expect(changes[0]).toBe('changed response 200 $.id: type string has become integer !');
    expect(changes.length).toBeLessThan(30);
  });

  test('is found in schemas that refer to each other in many ways', () => {
    const names = Array.from({ length: 40 }, (_, index) => `S${index}`);
    const dense = (type: string): JsonObject => {
      const schema = { $ref: '#/components/schemas/S0' };
      const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]));
      return document(
        { responses: { '200': { description: '', content: { 'application/json': { schema } } } } },
        {
          schemas: Object.fromEntries(
            names.map((name) => [name, { properties: { ...properties, [`own${name}`]: { type } } }]),
          ),
        },
      );
    };
    const changes = shown(dense('string'), dense('integer'));
    for (const name of names.slice(1))
      expect(changes).toContain(`changed response 200 $.${name}.own${name}: type string has become integer !`);
  });

  test('parameters of paths are told by their place, and headers by their name in any case', () => {
    const named = (name: string, header: string): JsonObject => ({
      openapi: '3.1.0',
      paths: {
        [`/a/{${name}}`]: {
          parameters: [
            { name, in: 'path', required: true, schema: { type: 'string' } },
            { name: header, in: 'header' },
          ],
          get: { responses: {} },
        },
      },
    });
    expect(shown(named('id', 'X-Id'), named('name', 'x-id'))).toEqual([]);
  });

  test('styles of lists, in the words of each version', () => {
    const list = (form: JsonObject, schema: JsonObject = { type: 'array' }): JsonObject =>
      document({ parameters: [{ name: 'a', in: 'query', schema, ...form }], responses: {} });
    const old = (format: string): JsonObject => ({
      swagger: '2.0',
      paths: {
        '/a': {
          post: { parameters: [{ name: 'a', in: 'query', type: 'array', collectionFormat: format }], responses: {} },
        },
      },
    });
    expect(shown(list({}), list({ explode: false }))).toEqual([
      'changed query parameter "a": style form, exploded has become form !',
    ]);
    expect(shown(list({}, { type: 'string' }), list({ explode: false }, { type: 'string' }))).toEqual([]);
    expect(shown(old('multi'), list({}))).toEqual([]);
    expect(shown(old('pipes'), list({ style: 'pipeDelimited', explode: false }))).toEqual([]);
  });

  test('ways to be let in', () => {
    const secured = (...security: JsonObject[]): JsonObject => document({ security, responses: {} });
    expect(shown(secured(), secured({ key: [] }))).toEqual([
      'removed security: is needed now !',
      'added security: key is enough',
    ]);
    expect(shown(secured({ key: [] }), secured({ key: [] }, {}))).toEqual(['added security: is not needed']);
    expect(shown(secured({ key: [] }), secured({ key: [], other: [] }))).toEqual([
      'removed security: key is not enough !',
      'added security: key and other is enough',
    ]);
    expect(shown(secured({ login: ['read', 'write'] }), secured({ login: ['read'] }))).toEqual([
      'added security: login and login:read is enough',
    ]);
  });

  test('media types and statuses that ranges stand for', () => {
    const body = (type: string): JsonObject => document({ requestBody: { content: { [type]: {} } }, responses: {} });
    const answer = (status: string, type: string, headers: JsonObject = {}): JsonObject =>
      document({ responses: { [status]: { description: '', content: { [type]: {} }, headers } } });
    expect(shown(body('application/json'), body('application/*'))).toEqual([]);
    expect(shown(body('application/*'), body('application/json'))).toEqual([
      'removed request body: media type application/* is gone !',
      'added request body: media type application/json is new',
    ]);
    expect(shown(answer('200', 'application/*'), answer('200', 'application/json'))).toEqual([]);
    expect(shown(answer('200', 'a/b'), answer('2XX', 'a/b'))).toEqual([]);
    expect(shown(answer('4xx', 'a/b'), answer('404', 'a/b'))).toEqual([]);
    expect(shown(answer('200', 'a/b', { 'X-Left': {} }), answer('200', 'a/b', { 'x-left': {} }))).toEqual([]);
    expect(shown(answer('200', 'a/b', { 'X-Left': {} }), answer('200', 'a/b'))).toEqual([
      'removed response 200 header "X-Left": is gone !',
    ]);
    expect(shown(document({ responses: {} }), document({ responses: {}, deprecated: true }))).toEqual([
      'changed operation: is deprecated',
    ]);
  });

  test('parameters, bodies, answers and operations', () => {
    const left = document({
      parameters: [
        { name: 'a', in: 'query' },
        { name: 'b', in: 'query', required: true },
        { name: 'c', in: 'header' },
      ],
      responses: { '200': { description: '', content: { 'application/json': {} } }, '404': { description: '' } },
    });
    const right = document({
      parameters: [
        { name: 'a', in: 'query', required: true },
        { name: 'b', in: 'query' },
        { name: 'd', in: 'query', required: true },
      ],
      requestBody: { required: true, content: { 'application/json': {} } },
      responses: { '200': { description: '', content: { 'text/csv': {} } }, '201': { description: '' } },
    });
    expect(shown(left, right)).toEqual([
      'changed query parameter "a": has become required !',
      'changed query parameter "b": is no longer required',
      'removed header parameter "c": is no longer declared !',
      'added query parameter "d": is new and required !',
      'added request body: is new and required !',
      'removed response 200: media type application/json is gone !',
      'added response 200: media type text/csv is new',
      'removed response 404: is no longer declared',
      'added response 201: is new',
    ]);
    expect(shown({ paths: { '/a': { get: {} } } }, { paths: { '/b': { get: {} } } })).toEqual([
      'removed : the operation is gone !',
      'added : the operation is new',
    ]);
  });
});
