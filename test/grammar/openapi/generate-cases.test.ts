import { expect, test } from 'vitest';

import { generateCases } from '#grammar/openapi/generate/cases.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

/** Words for the tests of a parameter with wrong values. */
function negatives(parameter: JsonObject): readonly string[] {
  const parameters: Json[] = [{ required: true, ...parameter, name: 'p' }];
  const path = parameter['in'] === 'path' ? '/a/{p}' : '/a';
  const document = { openapi: '3.0.3', paths: { [path]: { get: { parameters, responses: { 200: {} } } } } };
  const { cases } = generateCases(document, { seed: 1, kinds: ['negatives'], count: 1 });
  return cases.map(({ name }) => name.replace(/^.*: (?:\w+ p )?/, ''));
}

const texts = { type: 'array', items: { type: 'string' } };
const numbers = { type: 'array', items: { type: 'integer' } };

test.each<[JsonObject, readonly string[]]>([
  [{ in: 'query', schema: texts }, ['without query p']],
  [{ in: 'query', schema: numbers }, ['a text', 'without query p']],
  [{ in: 'query', style: 'pipeDelimited', explode: false, schema: texts }, ['without query p']],
  [{ in: 'query', content: { 'application/json': { schema: texts } } }, ['a text', 'without query p']],
  [{ in: 'query', required: false, schema: { ...texts, minItems: 1 } }, []],
  [{ in: 'query', schema: { ...texts, minItems: 2 } }, ['with too few elements', 'a text', 'without query p']],
  [{ in: 'header', schema: texts }, ['without header p']],
  [{ in: 'path', schema: texts }, []],
  [{ in: 'path', schema: numbers }, ['a text']],
  [{ in: 'query', schema: { type: 'boolean' } }, ['neither true nor false', 'without query p']],
  [{ in: 'query', schema: { type: 'string', maxLength: 2 } }, ['too long', 'without query p']],
])('wrong values of %j are those that are wrong as they are written', (parameter, about) => {
  expect(negatives(parameter)).toEqual(about);
});

test('a request that the document shows no value for has one that fits, and an example stays as it is', () => {
  const id = { in: 'path', name: 'id', required: true, schema: { type: 'string', pattern: '^[a-f0-9]{24}$' } };
  const shown = { in: 'query', name: 'q', required: true, schema: { type: 'integer' }, example: 'three' };
  const body = { type: 'object', required: ['code'], properties: { code: { type: 'string', pattern: '^[A-Z]{3}$' } } };
  const requestBody = { content: { 'application/json': { schema: body } } };
  const post = { parameters: [id, shown], requestBody, responses: { 200: {} } };
  const document = { openapi: '3.1.0', paths: { '/a/{id}': { post } } } as unknown as JsonObject;
  const { cases } = generateCases(document, { seed: 1, kinds: ['examples'], count: 1 });
  expect(cases).toHaveLength(1);
  const text = JSON.stringify(cases[0]);
  expect(text).toMatch(/\/a\/[a-f0-9]{24}"/);
  expect(text).toMatch(/"code":"[A-Z]{3}"/);
  expect(text).toContain('"q":"three"');
});
