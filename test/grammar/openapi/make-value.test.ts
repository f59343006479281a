import { describe, expect, test } from 'vitest';

import { exampleValue } from '#grammar/openapi/example-value.ts';
import { seeded } from '#grammar/openapi/generate/seeded.ts';
import { makeValue } from '#grammar/openapi/make-value.ts';
import { schemaFindings } from '#grammar/openapi/schema-findings.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

/** Values of one seed, in order. */
function chosen(schema: JsonObject, count = 200): readonly Json[] {
  const making = { document: {}, chance: seeded(7), varied: true };
  return Array.from({ length: count }, () => makeValue(schema, making));
}

describe('values that are varied', () => {
  test.each<JsonObject>([
    { type: 'integer' },
    { type: 'integer', minimum: 1 },
    { type: 'integer', maximum: -5 },
    { type: 'integer', minimum: 3, maximum: 5 },
    { type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 6 },
    { type: 'integer', minimum: 3, maximum: 6, exclusiveMinimum: true, exclusiveMaximum: true },
    { type: 'integer', multipleOf: 5, maximum: 22 },
    { type: 'number' },
    { type: 'number', minimum: 0, maximum: 1 },
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 0.001 },
    { type: 'number', multipleOf: 0.1, minimum: 0.25 },
    { type: 'boolean' },
  ])('fit %j, and are the same for the same seed', (schema) => {
    const values = chosen(schema);
    for (const value of values)
      expect(schemaFindings(value, schema, { document: {}, direction: 'request' })).toEqual([]);
    expect(chosen(schema)).toEqual(values);
  });

  test('are many where nothing binds them, small ones often, and those that are allowed where something does', () => {
    const free = chosen({ type: 'integer' });
    expect(new Set(free).size).toBeGreaterThan(50);
    expect(Math.min(...(free as number[]))).toBeLessThan(0);
    expect(free.filter((value) => Number(value) >= 1 && Number(value) <= 10).length).toBeGreaterThan(50);
    expect(new Set(chosen({ type: 'integer', minimum: 3, maximum: 5 }))).toEqual(new Set([3, 4, 5]));
    expect(new Set(chosen({ type: 'boolean' }))).toEqual(new Set([true, false]));
  });

  test('are the plainest ones without a wish for others', () => {
    const making = { document: {}, chance: seeded(7) };
    expect(makeValue({ type: 'integer' }, making)).toBe(1);
    expect(makeValue({ type: 'boolean' }, making)).toBe(true);
  });
});

describe('values of schemas that refer to each other in many ways', () => {
  const names = Array.from({ length: 30 }, (_, index) => `S${index}`);
  const documentOf = (required: readonly string[]): JsonObject => {
    const properties = {
      own: { type: 'string' },
      ...Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }])),
    };
    const schema = { type: 'object', properties, required: [...required] };
    return { components: { schemas: Object.fromEntries(names.map((name) => [name, schema])) } };
  };

  test.each<[string, readonly string[]]>([
    ['may be left out', ['own']],
    ['may not be left out', names],
  ])('come to an end where they %s', (_, required) => {
    const document = documentOf(required);
    const given = { $ref: '#/components/schemas/S0' };
    for (const value of [exampleValue(given, document), makeValue(given, { document, chance: seeded(1) })]) {
      expect(value).toMatchObject({ own: expect.any(String) });
      expect(JSON.stringify(value).length).toBeLessThan(1_000_000);
    }
  });
});

describe('schemas that inherit from others in many ways', () => {
  const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
  const heirs = Array.from({ length: 40 }, (_, index) => index);
  const schemas = {
    Parent: { type: 'object', discriminator: { propertyName: 't' }, properties: { t: { type: 'string' } } },
    ...Object.fromEntries(heirs.map((n) => [`S${n}`, { allOf: [to(`S${n + 1}`), to(`S${n + 1}`), to(`S${n + 1}`)] }])),
    S40: { type: 'object', required: ['own'] },
  };
  const document = { openapi: '3.0.3', components: { schemas } };

  test('are found among those that a discriminator may name', () => {
    expect(exampleValue(to('Parent'), document)).toEqual({ t: 'string' });
  });

  test('judge a value or say that they cannot', () => {
    const check = { document, direction: 'response' } as const;
    expect(schemaFindings({}, to('S0'), check)).toEqual([
      '$: its schemas refer to others in too many ways to be judged',
    ]);
    expect(schemaFindings({}, to('S38'), check)).toEqual(['$: "own" is missing']);
    const many = Array.from({ length: 200_000 }, () => ({ own: 1 }));
    expect(schemaFindings(many, { type: 'array', items: to('S40') }, check)).toEqual([]);
  });
});

describe('values that a discriminator tells apart', () => {
  const pet = { type: 'object', required: ['t'], properties: { t: { type: 'string' } } };
  const dog = { type: 'object', required: ['bark'], properties: { bark: { type: 'boolean' } } };
  const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
  const schemas = {
    Pet: { ...pet, discriminator: { propertyName: 't', mapping: { dog: 'Dog' } } },
    Dog: { allOf: [to('Pet'), dog] },
    Puppy: { allOf: [to('Dog'), { required: ['age'], properties: { age: { type: 'integer' } } }] },
    Cat: { ...pet, properties: { t: { enum: ['tom'] }, claws: { type: 'integer' } } },
    Bird: { ...pet, properties: { ...pet.properties, wings: { type: 'integer' } }, required: ['t', 'wings'] },
    Any: {
      oneOf: [to('Bird'), to('Dog')],
      discriminator: { propertyName: 't', mapping: { b: to('Bird')['$ref'] ?? '' } },
    },
    Other: { anyOf: [to('Cat')], discriminator: { propertyName: 't' } },
    Kennel: { type: 'array', items: to('Pet'), minItems: 3 },
  };
  const document = { components: { schemas } };

  test.each<[string, readonly Json[]]>([
    [
      'Pet',
      [
        { t: 'dog', bark: true },
        { t: 'Puppy', bark: true, age: 1 },
      ],
    ],
    [
      'Dog',
      [
        { t: 'dog', bark: true },
        { t: 'Puppy', bark: true, age: 1 },
      ],
    ],
    ['Puppy', [{ t: 'Puppy', bark: true, age: 1 }]],
    [
      'Any',
      [
        { t: 'b', wings: 1 },
        { t: 'dog', bark: true },
        { t: 'Dog', bark: true },
      ],
    ],
    ['Other', [{ t: 'tom', claws: 1 }]],
  ])('name the schema that they fit: %s', (name, values) => {
    const making = { document, chance: seeded(3) };
    const made = [exampleValue(to(name), document), ...Array.from({ length: 20 }, () => makeValue(to(name), making))];
    expect(made[0]).toEqual(values[0]);
    for (const value of made) {
      expect(values).toContainEqual(value);
      if (name !== 'Other') expect(schemaFindings(value, to(name), { document, direction: 'response' })).toEqual([]);
    }
    expect(makeValue(to('Kennel'), making)).toMatchObject([{ bark: true }, { bark: true }, { bark: true }]);
  });

  test('name heirs in version 2.0', () => {
    const definitions = { Pet: { ...pet, discriminator: 't' }, Dog: { allOf: [{ $ref: '#/definitions/Pet' }, dog] } };
    expect(exampleValue({ $ref: '#/definitions/Pet' }, { swagger: '2.0', definitions })).toEqual({
      t: 'Dog',
      bark: true,
    });
  });
});

describe('a small schema that asks for endless values', () => {
  const nested = (more: JsonObject, key: string, levels: number): JsonObject =>
    levels === 0 ? { type: 'string' } : { ...more, [key]: nested(more, key, levels - 1) };
  const others = Array.from({ length: 50 }, () => ({ $ref: '#/0' }));
  test.each<[string, JsonObject]>([
    ['lists in lists', nested({ type: 'array', minItems: 1000 }, 'items', 6)],
    ['objects in objects', nested({ type: 'object', minProperties: 1000 }, 'additionalProperties', 6)],
    ['long texts', { type: 'array', minItems: 1000, items: { type: 'string', minLength: 1e9 } }],
    ['a long text of a pattern', { type: 'string', pattern: 'a+', minLength: 1e9 }],
    ['long items that differ', { type: 'array', minItems: 1000, uniqueItems: true, items: { minLength: 10_000 } }],
    ['a step that is too small', { type: 'number', minimum: 1e308, multipleOf: 1e-320 }],
    ['parts of many', { allOf: others }],
  ])('is given a value of bounded size: %s', (_, schema) => {
    const levels = Object.fromEntries(
      Array.from({ length: 12 }, (__, level) => [level, { allOf: others.map(() => ({ $ref: `#/${level + 1}` })) }]),
    );
    const making = { document: { ...levels, 12: { type: 'string' } }, chance: seeded(7) };
    expect(JSON.stringify(makeValue(schema, making)).length).toBeLessThan(2_000_000);
    expect(JSON.stringify(exampleValue(schema, making.document)).length).toBeLessThan(2_000_000);
  });
});
