import { describe, expect, test } from 'vitest';

import { schemaFindings } from '#grammar/openapi/schema-findings.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

const document: JsonObject = {
  components: {
    schemas: {
      Id: { type: 'integer', minimum: 1 },
      Loop: { $ref: '#/components/schemas/Loop' },
      Tree: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { $ref: '#/components/schemas/Id' },
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        },
      },
      'a/b~c': { type: 'boolean' },
    },
  },
};

describe('a value against a schema', () => {
  test.each<[Json, Json, readonly string[]]>([
    [1, { type: 'integer' }, []],
    [1.5, { type: 'integer' }, ['$: expected integer, got number']],
    [null, { type: 'string', nullable: true }, []],
    [null, { type: ['string', 'null'] }, []],
    [null, { type: 'string' }, ['$: expected string, got null']],
    ['x', { enum: ['a', 1] }, ['$: "x" is none of ["a",1]']],
    [true, { enum: [1] }, ['$: true is none of [1]']],
    [{ a: 1 }, { const: { a: 1 } }, []],
    [5, { minimum: 5, exclusiveMinimum: true }, ['$: 5 is not more than 5']],
    [5, { maximum: 5, exclusiveMaximum: true }, ['$: 5 is not less than 5']],
    [5, { exclusiveMaximum: 5 }, ['$: 5 is not less than 5']],
    [0.3, { multipleOf: 0.1 }, []],
    ['ää', { maxLength: 1 }, ['$: longer than 1 signs']],
    [[1, 1], { uniqueItems: true }, ['$: the same element twice']],
    [[1, 'x'], { prefixItems: [{ type: 'integer' }], items: { type: 'string' } }, []],
    [{ a: 1, b: 2 }, { properties: { a: {} }, additionalProperties: false }, ['$.b: is not declared']],
    [{ b: 'x' }, { additionalProperties: { type: 'integer' } }, ['$.b: expected integer, got string']],
    [{}, { required: ['a'] }, ['$: "a" is missing']],
    [{ id: 1, children: [{ id: 0 }] }, { $ref: '#/components/schemas/Tree' }, ['$.children[0].id: 0 is less than 1']],
    ['anything', { $ref: '#/components/schemas/Loop' }, []],
    ['anything', { $ref: '#/nowhere' }, []],
    ['anything', { $ref: 'other.json#/a' }, []],
    [1, { $ref: '#/components/schemas/a~1b~0c' }, ['$: expected boolean, got integer']],
    [
      1,
      { anyOf: [{ type: 'string' }, { minimum: 2 }] },
      ['$: fits none of 2 alternatives (nearest: $: expected string, got integer)'],
    ],
    [1, { oneOf: [{ type: 'integer' }, { type: 'number' }] }, ['$: fits 2 of 2 alternatives, and may fit one alone']],
    ['***', { oneOf: [{ type: 'integer' }, { type: 'number' }] }, []],
    [1, { oneOf: [{ type: 'integer' }, { $ref: 'other.json#/a' }] }, []],
    [{ a: 1 }, { allOf: [{ required: ['a'] }, { required: ['b'] }] }, ['$: "b" is missing']],
    [1, false, ['$: nothing is allowed here']],
    [1, true, []],
    [1, { madeUp: true, format: 'uuid' }, []],
  ])('%j, %j', (value, schema, expected) => {
    expect(schemaFindings(value, schema, { document, direction: 'response' })).toEqual(expected);
  });

  test('asks each side only for what it sets', () => {
    const schema = {
      required: ['id', 'password'],
      properties: { id: { readOnly: true }, password: { writeOnly: true } },
    };
    expect(schemaFindings({ id: 1 }, schema, { document, direction: 'response' })).toEqual([]);
    expect(schemaFindings({ password: 1 }, schema, { document, direction: 'request' })).toEqual([]);
    expect(schemaFindings({}, schema, { document, direction: 'request' })).toEqual(['$: "password" is missing']);
  });
});

test('a long list of values that name one of many heirs is judged in time', () => {
  const pet = { $ref: '#/components/schemas/Pet' };
  const heirs = Array.from(
    { length: 1000 },
    (_, index) => [`D${index}`, { allOf: [pet, { required: ['b'] }] }] as const,
  );
  const Pet = { type: 'object', required: ['t'], discriminator: { propertyName: 't' } };
  const document = { openapi: '3.0.3', components: { schemas: { Pet, ...Object.fromEntries(heirs) } } };
  const list = Array.from({ length: 5000 }, (_, index) => ({ t: `D${index % 1000}`, ...(index > 0 && { b: 1 }) }));
  for (const items of [pet, { allOf: [pet] }])
    expect(schemaFindings(list, { type: 'array', items }, { document, direction: 'response' })).toEqual([
      '$[0]: "b" is missing',
    ]);
});
