import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { Shape } from '#grammar/openapi/infer-schema.ts';
import { schemaFindings } from '#grammar/openapi/schema-findings.ts';
import type { Json } from '#schemas/types/json.ts';

const ajv = new Ajv2020({ strict: false, validateSchema: false, ownProperties: true });

describe('a shape', () => {
  test('is the same in any order, and takes every sample, by ajv and by our own check', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 5 }), (samples) => {
        const schema = Shape.of(...(samples as Json[])).schema();
        expect(JSON.stringify(Shape.of(...(samples as Json[]).toReversed()).schema())).toBe(JSON.stringify(schema));
        const validate = ajv.compile(schema);
        for (const sample of samples) {
          expect(validate(sample), JSON.stringify([sample, schema])).toBe(true);
          expect(schemaFindings(sample as Json, schema, { document: {}, direction: 'response' })).toEqual([]);
        }
      }),
      { numRuns: 300, examples: [[[{}, { valueOf: '', toString: 1 }]]] },
    );
  });

  test.each([
    [[], {}],
    [[null], { type: 'null' }],
    [[1, 2.5], { type: 'number' }],
    [[[]], { type: 'array', items: {} }],
    [
      [{ b: 1, a: 'x' }, { a: 'y' }],
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a'] },
    ],
    [[{ a: 1 }, 'x'], { type: ['object', 'string'], properties: { a: { type: 'integer' } }, required: ['a'] }],
  ])('of %j is %j', (samples, schema) => {
    expect(Shape.of(...(samples as Json[])).schema()).toEqual(schema);
  });
});
