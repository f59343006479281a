import { describe, expect, it } from 'vitest';

import { KEYWORDS } from '#compiler/phases/5-check/schema-shape.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import { checkSchema } from '#runtime/kernel/values/check-schema.ts';
import { makeRegex } from '#runtime/kernel/values/regex.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { checkText, processorTime, slugsOf } from './check-text.ts';

const file = (schema: unknown): string =>
  JSON.stringify({ meta: { inputs: { x: schema } }, actions: ['AT_fake_uuid'] });
/** Keywords that judge nothing. */
const TELLING = new Set([
  ...['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples', 'example', 'deprecated', 'secret'],
  ...['contentEncoding', 'contentMediaType', 'readOnly', 'writeOnly', '$defs'],
]);
const bomb = `${'a'.repeat(60)}!`;

describe('schemas of inputs', () => {
  it.each<[string, unknown]>([
    ['a pattern that is none', { pattern: '(' }],
    ['a pattern of megabytes', { pattern: 'a'.repeat(1_000_000) }],
    ['a format that every object knows', { format: 'toString', default: 'x' }],
    ['a format that every object has', { format: '__proto__', default: 'x' }],
    ['a format that nobody knows', { format: 'colour' }],
    ['a type that every object knows', { type: ['toString'], default: 'x' }],
    ['a type that is none', { type: 'text' }],
    ['no types', { type: [] }],
    ['the same type twice', { type: ['string', 'string'] }],
    ['a bound that is text', { minimum: '1' }],
    ['a length below zero', { minLength: -1 }],
    ['a step of zero', { multipleOf: 0 }],
    ['items that are text', { items: 'string' }],
    ['branches that are none', { anyOf: [] }],
    ['a branch that is text', { oneOf: [{ type: 'string' }, 'null'] }],
    ['a property that is text', { properties: { a: 'string' } }],
    ['names that are numbers', { required: [1] }],
    ['a pattern inside that is none', { items: { properties: { a: { propertyNames: { pattern: '[' } } } } }],
    ['no values', { enum: [] }],
  ])('are held to what a schema is: %s', async (_, schema) => {
    expect(await slugsOf(file(schema))).toEqual(['input-schema-value']);
  });

  it.each<[string, unknown]>([
    ['a reference to itself', { $ref: '#' }],
    ['a keyword of every object', JSON.parse('{"__proto__": 1}')],
    ['a keyword inside', { items: { unevaluatedItems: false } }],
  ])('have keywords of a closed set: %s', async (_, schema) => {
    expect(await slugsOf(file(schema))).toEqual(['input-schema']);
  });

  it.each<[string, unknown]>([
    ['a pattern', { pattern: '^(a+)+$', default: bomb }],
    ['names of properties', { propertyNames: { pattern: '^(a+)+$' }, default: { [bomb]: 1 } }],
    ['a thousand items', { items: { pattern: '^(a+)+$' }, default: Array.from({ length: 1000 }, () => bomb) }],
  ])(
    'cannot hang a check: %s',
    async (_, schema) => {
      const time = await processorTime(async () => expect(await slugsOf(file(schema))).toEqual(['input-pattern-slow']));
      expect(time).toBeLessThan(6_000);
    },
    30_000,
  );

  it('are applied whole to names of properties', async () => {
    const schema = (propertyNames: unknown) => file({ propertyNames, default: { long: 1 } });
    for (const rule of [
      false,
      { maxLength: 2 },
      { const: 'a' },
      { anyOf: [{ enum: ['a'] }, { pattern: '^b' }] },
      { format: 'date' },
    ])
      expect((await checkText(schema(rule))).hasErrors, JSON.stringify(rule)).toBe(true);
    for (const rule of [true, {}, { maxLength: 9 }, { anyOf: [{ enum: ['long'] }, { pattern: '^b' }] }])
      expect((await checkText(schema(rule))).hasErrors, JSON.stringify(rule)).toBe(false);
  });

  it('that are too large for their default are refused in time', async () => {
    const count = 5_000;
    const items = { anyOf: Array.from({ length: count }, (_, index) => ({ const: index })) };
    expect(await slugsOf(file({ items, default: Array.from({ length: count }, () => count - 1) }))).toEqual([
      'input-too-large',
    ]);
  });
});

describe('values of inputs in a run', () => {
  const regex = makeRegex(nodeHost());
  const isMatch = (pattern: string, text: string): boolean => regex.match(pattern, 'u', text) !== null;
  const keywords = (schema: JsonObject, value: Json): readonly string[] =>
    checkSchema(schema, value, isMatch).map(({ keyword }) => keyword);

  it('are held to patterns under a limit', () => {
    expect(() => keywords({ pattern: '^(a+)+$' }, bomb)).toThrow(
      expect.objectContaining({ facts: expect.objectContaining({ code: 'SVC80030' }) }),
    );
    expect(() => keywords({ patternProperties: { '^(a+)+$': true } }, { [bomb]: 1 })).toThrow();
    expect(() => keywords({ propertyNames: { pattern: '^(a+)+$' } }, { [bomb]: 1 })).toThrow();
  });

  const judging: readonly (readonly [schema: JsonObject, fits: Json, unfit: Json])[] = [
    [{ type: 'integer' }, 2, 2.5],
    [{ enum: [1, { a: [2] }] }, { a: [2] }, { a: 2 }],
    [{ const: [1] }, [1], [2]],
    [{ anyOf: [{ type: 'string' }, { minimum: 2 }] }, 2, 1],
    [{ oneOf: [{ minimum: 2 }, { maximum: 2 }] }, 3, 2],
    [{ minimum: 2 }, 2, 1],
    [{ maximum: 2 }, 2, 3],
    [{ exclusiveMinimum: 2 }, 3, 2],
    [{ exclusiveMaximum: 2 }, 1, 2],
    [{ multipleOf: 0.1 }, 0.3, 0.35],
    [{ minLength: 2 }, '👍👍', '👍'],
    [{ maxLength: 2 }, '👍👍', 'abc'],
    [{ pattern: '^a' }, 'ab', 'ba'],
    [{ format: 'date' }, '2026-01-02', 'tomorrow'],
    [{ items: { minimum: 2 } }, [2, 3], [2, 1]],
    [{ prefixItems: [{ minimum: 2 }] }, [2, 1], [1]],
    [{ minItems: 2 }, [1, 2], [1]],
    [{ maxItems: 2 }, [1, 2], [1, 2, 3]],
    [{ uniqueItems: true }, [1, 2], [1, 1]],
    [{ properties: { a: { minimum: 2 } } }, { a: 2, b: 1 }, { a: 1 }],
    [{ required: ['a'] }, { a: 1 }, { b: 1 }],
    [{ additionalProperties: { minimum: 2 } }, { a: 2 }, { a: 1 }],
    [{ propertyNames: { maxLength: 1 } }, { a: 1 }, { ab: 1 }],
    [{ minProperties: 1 }, { a: 1 }, {}],
    [{ maxProperties: 1 }, { a: 1 }, { a: 1, b: 2 }],
  ];
  it.each(judging)('are held to %j: %j fits, %j does not', (schema, fits, unfit) => {
    expect(keywords(schema, fits)).toEqual([]);
    expect(keywords(schema, unfit)).toHaveLength(1);
  });

  it('are held to every keyword that a schema of an input may have', () => {
    const cases = new Set(judging.flatMap(([schema]) => Object.keys(schema)));
    expect(KEYWORDS.filter((keyword) => !cases.has(keyword) && !TELLING.has(keyword))).toEqual([]);
  });

  it('are held to formats', () => {
    expect(keywords({ format: 'date' }, '2026-01-02')).toEqual([]);
    expect(keywords({ format: 'date' }, 'tomorrow')).toEqual(['format']);
    expect(keywords({ format: 'toString' }, 'tomorrow')).toEqual([]);
  });

  it('meet references to the schema itself without an end of the stack', () => {
    expect(keywords({ $ref: '#' }, 1)).toEqual(['depth']);
    expect(keywords({ $ref: '#/toString' }, 1)).toEqual([]);
    const list = { properties: { next: { $ref: '#' } }, required: ['value'] };
    expect(keywords(list, { value: 1, next: { value: 2 } })).toEqual([]);
    expect(keywords(list, { value: 1, next: {} })).toEqual(['required']);
  });

  it('are looked through for equal items in time', async () => {
    const items = Array.from({ length: 100_000 }, (_, index) => ({ a: index, b: 1 }));
    expect(await processorTime(async () => expect(keywords({ uniqueItems: true }, items)).toEqual([]))).toBeLessThan(
      4_000,
    );
    expect(
      keywords({ uniqueItems: true }, [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ]),
    ).toEqual(['uniqueItems']);
  });
});
