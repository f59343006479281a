import { expect, it } from 'vitest';

import { UnitEnvironment } from '#runtime/kernel/units/environment.ts';
import { checkSchema } from '#runtime/kernel/values/check-schema.ts';
import { deepEqual } from '#runtime/kernel/values/deep-equal.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

const found = (schema: JsonObject, value: Json): readonly unknown[] =>
  checkSchema(schema, value, (pattern, text) => new RegExp(pattern, 'u').test(text)).map(
    ({ instancePath, keyword, params }) => [instancePath, keyword, params],
  );

it.each<[JsonObject, readonly Json[], readonly Json[], string]>([
  [{ type: 'string' }, ['a'], [1, null], 'type'],
  [{ type: ['integer', 'null'] }, [1, null, 2.0], [1.5, 'a'], 'type'],
  [{ type: 'array' }, [[]], [{}], 'type'],
  [{ type: 'object' }, [{}], [[], null], 'type'],
  [{ enum: [1, { a: [2] }] }, [1, { a: [2] }], [2, { a: [3] }], 'enum'],
  [{ const: { a: 1 } }, [{ a: 1 }], [{ a: 2 }, { a: 1, b: 1 }, null], 'const'],
  [{ minimum: 2 }, [2, 3], [1.9], 'minimum'],
  [{ maximum: 2 }, [2, 1], [2.1], 'maximum'],
  [{ exclusiveMinimum: 2 }, [2.1], [2], 'exclusiveMinimum'],
  [{ exclusiveMaximum: 2 }, [1.9], [2], 'exclusiveMaximum'],
  [{ multipleOf: 0.1 }, [0.3, 7], [0.35], 'multipleOf'],
  [{ minLength: 2 }, ['ab', '\u{1f600}b'], ['a', '\u{1f600}'], 'minLength'],
  [{ maxLength: 1 }, ['a', '\u{1f600}'], ['ab'], 'maxLength'],
  [{ pattern: '^a' }, ['ab'], ['ba'], 'pattern'],
  [{ format: 'uri' }, ['https://a.example/', 7], ['no address'], 'format'],
  [{ minItems: 1 }, [[1]], [[]], 'minItems'],
  [{ maxItems: 1 }, [[1]], [[1, 2]], 'maxItems'],
  [{ uniqueItems: true }, [[1, '1']], [[1, 1]], 'uniqueItems'],
  [{ minProperties: 1 }, [{ a: 1 }], [{}], 'minProperties'],
  [{ maxProperties: 1 }, [{ a: 1 }], [{ a: 1, b: 2 }], 'maxProperties'],
  [{ required: ['a', 'toString'] }, [{ a: 1, toString: 1 }], [{ a: 1 }], 'required'],
  [{ properties: { a: {} }, additionalProperties: false }, [{ a: 1 }], [{ b: 1 }], 'additionalProperties'],
  [{ anyOf: [{ type: 'string' }, { minimum: 2 }] }, ['a', 2], [1], 'anyOf'],
  [{ oneOf: [{ minimum: 2 }, { maximum: 3 }] }, [1, 4], [2.5], 'oneOf'],
  [{ not: { const: 1 } }, [2], [1], 'not'],
])('%j', (schema, good, bad, keyword) => {
  for (const value of good) expect([value, found(schema, value)]).toEqual([value, []]);
  for (const value of bad) expect([value, found(schema, value)]).toEqual([value, [['', keyword, expect.anything()]]]);
});

it('places are told as pointers, also below patterns, prefixes and references', () => {
  const schema: JsonObject = {
    $defs: { small: { maximum: 1 } },
    properties: { 'a/b~c': { prefixItems: [{}, { $ref: '#/$defs/small' }], items: { type: 'string' } } },
    patternProperties: { '^x': { type: 'boolean' } },
    additionalProperties: { minimum: 5 },
    propertyNames: { maxLength: 5 },
    allOf: [{ required: ['z'] }],
  };
  expect(found(schema, { 'a/b~c': [9, 2, 3], x1: 1, other: 4, longest: 9 })).toEqual([
    ['/a~1b~0c/1', 'maximum', { limit: 1 }],
    ['/a~1b~0c/2', 'type', { type: 'string' }],
    ['/x1', 'type', { type: 'boolean' }],
    ['/other', 'minimum', { limit: 5 }],
    ['/longest', 'maxLength', { limit: 5 }],
    ['', 'required', { missingProperty: 'z' }],
  ]);
});

it.each<[Json, Json, boolean]>([
  [1, 1, true],
  [1, '1', false],
  [null, null, true],
  [null, {}, false],
  [{}, null, false],
  [[1, [2]], [1, [2]], true],
  [[1, [2]], [1, [3]], false],
  [[1], [1, 2], false],
  [[], {}, false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { b: 1 }, false],
  [{ a: 1 }, 'a', false],
])('%j and %j are equal: %s', (one, other, isEqual) => {
  expect([deepEqual(one, other), deepEqual(other, one)]).toEqual([isEqual, isEqual]);
});

it('the environment of a unit: what overrides, the process, what stands beside it; what is unset is not there', () => {
  const learned: string[] = [];
  const host = { env: { A: 'process', B: 'process', C: undefined }, parseEnv: () => ({}) };
  const environment = new UnitEnvironment(host, (key) => void learned.push(key));
  environment.load({ A: 'beside', D: 'beside' });
  environment.load({ B: 'over' }, { override: true });
  expect(environment.all()).toStrictEqual({ A: 'process', B: 'over', D: 'beside' });
  expect(['A', 'B', 'C', 'D', 'toString'].map((key) => environment.get(key))).toEqual([
    'process',
    'over',
    undefined,
    'beside',
    undefined,
  ]);
  expect(learned).toEqual(['A', 'D', 'B']);
});
