import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { openCatalogue } from '#compiler/catalogue.ts';
import { Tokens } from '#compiler/phases/4-resolve/tokens.ts';
import { signatureOf } from '#compiler/phases/4-resolve/signature.ts';
import { schemaOf } from '#compiler/phases/5-check/index.ts';
import { fits } from '#compiler/phases/5-check/walker.ts';
import { formats } from '#schemas/generated/formats.ts';
import { isList, isObject, type Json, type JsonObject } from '#schemas/types/json.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true, formats });
const isMatch = (pattern: string, text: string): boolean => new RegExp(pattern, 'u').test(text);
const texts = fc.constantFrom('', 'a', 'ab', 'abc', 'x'.repeat(9), '👍', '2026-01-02', '12', '$${a}');
const numbers = fc.constantFrom(-1, 0, 0.5, 1, 2, 3, 10);
const scalars: fc.Arbitrary<Json> = fc.oneof(fc.constant(null), fc.boolean(), numbers, texts);
const keys = fc.constantFrom('a', 'b', 'c');

const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 3 }),
  ),
}));

/** Schemas of the closed keyword set; some ask for what nothing can be. */
const { schema: anySchema } = fc.letrec<{ schema: JsonObject }>((tie) => {
  const type = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');
  const count = fc.constantFrom(0, 1, 2);
  const inside = tie('schema');
  return {
    schema: fc.oneof(
      { depthSize: 'small' },
      fc.constant({}),
      fc.record({ type: fc.oneof(type, fc.uniqueArray(type, { minLength: 2, maxLength: 3 })) }),
      fc.record({ enum: fc.uniqueArray(scalars, { minLength: 1, maxLength: 3 }) }),
      fc.record({ const: scalars }),
      fc.record(
        {
          minLength: count,
          maxLength: fc.constantFrom(2, 9),
          pattern: fc.constantFrom('^a', 'b$', '^.{2}$'),
          format: fc.constantFrom('date', 'uuid'),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          minimum: numbers,
          maximum: numbers,
          exclusiveMinimum: numbers,
          exclusiveMaximum: numbers,
          multipleOf: fc.constantFrom(1, 2, 0.5),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          type: fc.constant('array'),
          items: inside,
          prefixItems: fc.array(inside, { minLength: 1, maxLength: 2 }),
          minItems: count,
          maxItems: count,
          uniqueItems: fc.boolean(),
        },
        { requiredKeys: ['type'] },
      ),
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(keys, inside, { maxKeys: 2 }),
          required: fc.uniqueArray(keys, { maxLength: 2 }),
          additionalProperties: fc.oneof(fc.boolean(), inside),
          propertyNames: fc.record({ pattern: fc.constantFrom('^[ab]$', '^a$') }),
          minProperties: count,
          maxProperties: count,
        },
        { requiredKeys: ['type'] },
      ),
      fc.record({ anyOf: fc.array(inside, { minLength: 1, maxLength: 3 }) }),
      fc.record({ oneOf: fc.array(inside, { minLength: 1, maxLength: 3 }) }),
    ),
  };
});

/** Escapes stand for other text: `$${a}` is written for `${a}`. */
function literal(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('$${', '${');
  if (isList(value)) return value.map(literal);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, literal(item)])) : value;
}

/** A value with some of its parts written as references to a variable, and that value again. */
function withReferences(value: Json, chosen: Iterator<boolean>): Json {
  if (chosen.next().value === true && typeof value !== 'string') return '{{x}}';
  if (typeof value === 'string') return chosen.next().value === true ? '{{x}}' : value;
  if (isList(value)) return value.map((item) => withReferences(item, chosen));
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withReferences(item, chosen)]))
    : value;
}

describe('the three-answer walker', () => {
  it('answers as ajv does where there are no references', () => {
    const seen = { yes: 0, no: 0, unknown: 0 };
    fc.assert(
      fc.property(anySchema, anyValue, (schema, value) => {
        const { answer, problems } = fits(schema, value, { tokens: new Tokens(), isMatch });
        seen[answer] += 1;
        expect(answer).toBe(ajv.validate(schema, literal(value)) ? 'yes' : 'no');
        expect(problems.length > 0).toBe(answer === 'no');
      }),
      { numRuns: 1500 },
    );
    expect(Math.min(seen.yes, seen.no), 'both answers were asked for').toBeGreaterThan(200);
  });

  it('is right whatever the references turn out to be', () => {
    const seen = { yes: 0, no: 0, unknown: 0 };
    fc.assert(
      fc.property(anySchema, anyValue, fc.array(fc.boolean(), { minLength: 1 }), (schema, value, choices) => {
        const written = withReferences(
          value,
          (function* () {
            for (;;) yield* choices;
          })(),
        );
        const { answer } = fits(schema, written, { tokens: new Tokens(), isMatch });
        seen[answer] += 1;
        // The value itself is one that the references may turn out to be.
        if (answer !== 'unknown') expect(answer).toBe(ajv.validate(schema, literal(value)) ? 'yes' : 'no');
      }),
      { numRuns: 1500 },
    );
    expect(Math.min(seen.yes, seen.no, seen.unknown), 'all three answers were asked for').toBeGreaterThan(100);
  });

  it('agrees with the generated validators of all commands', async () => {
    const catalogue = openCatalogue();
    const infos = await catalogue.all();
    await catalogue.prepare(infos.map(({ name }) => name));
    for (const info of infos) {
      const validate = catalogue.validator(info.name);
      const schema = schemaOf(signatureOf(info));
      const names = [...info.params.map(({ name }) => name), 'nonsense'];
      const values = fc.oneof(
        anyValue,
        ...info.params.map((parameter) => fc.constantFrom(...samples(parameter.schema))),
      );
      fc.assert(
        fc.property(fc.dictionary(fc.constantFrom(...names), values, { maxKeys: 4 }), (args) => {
          const plain = literal(args);
          expect(
            fits(schema, args, { tokens: new Tokens(), isMatch }).answer,
            `${info.name} ${JSON.stringify(args)}`,
          ).toBe(validate?.(plain).length === 0 ? 'yes' : 'no');
        }),
        { numRuns: 25 },
      );
    }
  }, 60_000);
});

/** Values that a schema is likely to take. */
function samples(schema: JsonObject): readonly Json[] {
  const own = [
    schema['default'],
    schema['const'],
    ...(isList(schema['enum']) ? schema['enum'] : []),
    ...(isList(schema['examples']) ? schema['examples'] : []),
  ];
  const inside = [schema['anyOf'], schema['oneOf']].flatMap((branches) =>
    isList(branches) ? branches.filter(isObject).flatMap(samples) : [],
  );
  return [...own.filter((value) => value !== undefined), ...inside, 'text', 1, [], {}];
}
