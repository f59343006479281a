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
