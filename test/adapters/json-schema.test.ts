import { describe, expect, test } from 'vitest';

import type { JsonSchema } from '#runtime/adapters/json-schema/port.ts';
import { provider } from '#runtime/adapters/json-schema/provider.ts';
import { nodeHost } from '#runtime/hosts/node.ts';
import type { PortContext } from '#runtime/kernel/ports.ts';
import { makeRegex } from '#runtime/kernel/values/regex.ts';
import type { Failure } from '#schemas/types/failure.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

import { casesOf, lacksSuite, type SchemaCase } from '../fixtures/json-schema-suite.ts';

const open = (): JsonSchema | Promise<JsonSchema> =>
  provider.open({ port: async () => makeRegex(nodeHost()) } as unknown as PortContext);

describe.skipIf(lacksSuite())('the published cases of JSON Schema: no wrong verdict in', () => {
  test.each([
    ['2020-12', 'draft2020-12', 1100],
    ['2019-09', 'draft2019-09', 1100],
    ['draft-07', 'draft7', 800],
    ['draft-06', 'draft6', 700],
  ])('%s', async (dialect, folder, least) => {
    const port = await open();
    const cases = casesOf(folder);
    const wrong: string[] = [];
    for (const one of cases) {
      const verdict = await judge(port, one, dialect);
      if (verdict !== one.isValid) wrong.push(`${one.name}: ${verdict}`);
    }
    expect(cases.length).toBeGreaterThan(least);
    expect(wrong.filter((line) => !refused.test(line))).toEqual([]);
  });
});

describe('a schema is judged by what the value has itself:', () => {
  test.each([
    ['required: toString', { required: ['toString'] }, {}, false],
    ['required: constructor', { required: ['constructor', '__proto__'] }, {}, false],
    ['required: __proto__', { required: ['__proto__'] }, parsed('{"__proto__": 1}'), true],
    ['properties: toString', { properties: { toString: { type: 'string' } } }, {}, true],
    ['properties: constructor', { properties: { constructor: { type: 'string' } } }, { constructor: 1 }, false],
    [
      'properties: __proto__',
      parsed('{"properties": {"__proto__": {"type": "string"}}}'),
      parsed('{"__proto__": 1}'),
      false,
    ],
    ['another name', { properties: { a: {} }, additionalProperties: false }, parsed('{"toString": 1}'), false],
    ['dependentRequired', { dependentRequired: { valueOf: ['a'] } }, {}, true],
    ['a format', { format: 'toString' }, 'x', true],
  ])('%s', async (_, schema, value, isValid) => {
    const port = await open();
    for (const $schema of names) {
      const findings = await port.check(value, { $schema, ...schema });
      const known = !('dependentRequired' in schema) || $schema.includes('20');
      expect(findings.length === 0, $schema).toBe(isValid || !known);
    }
  });
});

describe('a schema that ajv cannot read', () => {
  test('is told of in the same words and places', async () => {
    const port = await open();
    const schema: JsonObject = {
      type: 'object',
      required: ['id'],
      minProperties: 9,
      properties: {
        list: { items: { type: ['integer', 'null'], multipleOf: 0.1 }, uniqueItems: true, maxItems: 1, minItems: 9 },
        text: { pattern: '^a', minLength: 4, maxLength: 1, format: 'email', enum: ['b'], const: 'c' },
        number: { minimum: 5, exclusiveMinimum: 4, maximum: 1, exclusiveMaximum: 2, multipleOf: 7 },
        'a/b~c d': { anyOf: [{ type: 'null' }], oneOf: [true, true], not: {}, if: true, then: false },
        pair: { prefixItems: [true], items: false, contains: false },
        named: { propertyNames: { maxLength: 1 }, patternProperties: { '^n': { allOf: [{ type: 'string' }] } } },
        deep: { $ref: '#/$defs/deep' },
        far: { dependentRequired: { a: ['b', 'c'] }, additionalProperties: false, properties: { a: {} } },
      },
      $defs: { deep: { dependentSchemas: { x: { required: ['y'] } } } },
    };
    const value = {
      list: [1, 1, 'x', 0.25],
      text: 'bcd',
      number: 3,
      'a/b~c d': 1,
      pair: [1, 2],
      named: { nn: 1 },
      deep: { x: 1 },
      far: { a: 1, d: 2 },
    };
    const words = async (more: JsonObject): Promise<readonly string[]> =>
      (await port.check(value, { ...schema, ...more })).map(({ at, rule, message }) => `${at} ${rule} ${message}`);
    const byAjv = new Set(await words({}));
    const whole = await words({ unevaluatedProperties: {} });
    // Of items ajv also tells what each lacks that `contains` did not find.
    const others = (lines: Iterable<string>): readonly string[] =>
      [...lines].filter((line) => !line.includes('/pair')).toSorted();
    expect(others(whole)).toEqual(others(byAjv));
    expect(whole.filter((line) => line.includes('/pair'))).toEqual([
      '/pair #/properties/pair/items must NOT have more than 1 items',
      '/pair #/properties/pair/contains must contain at least 1 valid item(s)',
    ]);
  });

  test.each([
    ['a relative address', { $ref: 'other.json', $defs: { other: { $id: 'other.json', type: 'string' } } }],
    [
      'an anchor of another part',
      { $ref: 'o#a', $defs: { o: { $id: 'o', $defs: { s: { $anchor: 'a', type: 'string' } } } } },
    ],
  ])('with %s is followed', async (_, schema) => {
    const port = await open();
    expect(await port.check('x', schema)).toEqual([]);
    expect(await port.check(1, schema)).toMatchObject([{ at: '', message: 'must be string' }]);
  });

  test.each([
    ['a reference to nowhere', { $ref: 'other.json' }, 1, 'refers to "other.json", which is not inside it'],
    [
      'a pattern that is none',
      { patternProperties: { '(': {} }, unevaluatedProperties: false },
      {},
      'Invalid regular expression',
    ],
    ['a keyword that is wrong', { required: 'toString' }, {}, 'data/required must be array'],
    [
      'a circle',
      { $id: 'a', $ref: 'b', $defs: { b: { $id: 'b', $ref: 'a' } } },
      1,
      'more than 500 schemas inside one another',
    ],
    [
      'another dialect inside',
      { $defs: { a: { $id: 'a', $schema: 'https://example.org/mine' } } },
      1,
      'dialect "https://example.org/mine"',
    ],
  ])('fails for %s', async (_, schema, value, words) => {
    const port = await open();
    await expect(port.check(value, schema as JsonObject)).rejects.toThrow(words);
  });

  test('is told of where a value is too deep for the stack', async () => {
    const port = await open();
    let value: Json = 1;
    for (let depth = 0; depth < 20_000; depth += 1) value = [value];
    await expect(port.check(value, { items: { $ref: '#' } })).rejects.toThrow('inside one another');
  });

  test('takes time that grows with the value', async () => {
    const port = await open();
    const value = Array.from({ length: 20_000 }, (_, index) => ({ [`name${index}`]: index }));
    const schema = { items: { additionalProperties: { type: 'integer' } }, unevaluatedItems: false };
    const begin = performance.now();
    expect(await port.check(value, schema)).toEqual([]);
    expect(performance.now() - begin).toBeLessThan(5000);
  });
});

describe('a small schema that asks for endless work', () => {
  test.each([
    ['by references, for ajv', {}],
    ['by references, for what ajv cannot read', { unevaluatedItems: false }],
  ])('%s, is refused', async (_, more) => {
    const port = await open();
    const $defs: Record<string, Json> = { a40: { type: 'string' } };
    for (let level = 0; level < 40; level += 1) {
      const $ref = `#/$defs/a${level + 1}`;
      $defs[`a${level}`] = { allOf: [{ $ref }, { $ref }] };
    }
    const schema = { $defs, $ref: '#/$defs/a0', ...more };
    await expect(port.check('text', schema)).rejects.toThrow('in more ways than time allows');
    await expect(port.check('text', schema)).rejects.toThrow('in more ways than time allows');
  });

  test('by `uniqueItems` of a long list, is answered', async () => {
    const port = await open();
    const list = Array.from({ length: 200_000 }, (_, index) => ({ index }));
    expect(await port.check(list, { uniqueItems: true })).toEqual([]);
    const [found] = await port.check([...list, { index: 7 }], { uniqueItems: true });
    expect(found).toEqual({
      at: '',
      rule: '#/uniqueItems',
      message: 'must NOT have duplicate items (items ## 7 and 200000 are identical)',
    });
  });

  test.each(['url', 'uri', 'email', 'hostname'])('by the format `%s` of a long text, is answered', async (format) => {
    const port = await open();
    const outcome = await port.check(`http://${'a:'.repeat(500_000)}`, { format }).then(
      (findings) => `${findings.length} found`,
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(/^[01] found$|was stopped after/);
  });
});

test.each([
  [0.3, 0.1, true],
  [1e308, 0.5, true],
  [1e308, 0.123456789, false],
  [0.00751, 0.0001, false],
  [-6, 2, true],
  [0, 7, true],
])('%d is a multiple of %d: %s', async (value, multipleOf, isValid) => {
  const port = await open();
  for (const more of [{}, { unevaluatedItems: false }])
    expect((await port.check(value, { multipleOf, ...more })).length === 0).toBe(isValid);
});

const names = [
  'http://json-schema.org/draft-06/schema#',
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
];

function parsed(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}

/** A dialect that a schema defines for itself is refused by name. */
const refused = /^vocabulary \|.*: SVC83055 /;

async function judge(port: JsonSchema, { schema, value }: SchemaCase, dialect: string): Promise<boolean | string> {
  const uri = dialect.startsWith('2')
    ? `https://json-schema.org/draft/${dialect}/schema`
    : `http://json-schema.org/${dialect}/schema#`;
  try {
    return (await port.check(value, typeof schema === 'boolean' ? schema : { $schema: uri, ...schema })).length === 0;
  } catch (error) {
    return `${(error as Partial<Failure>).facts?.code} ${(error as Error).message}`;
  }
}
