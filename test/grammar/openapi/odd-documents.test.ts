import { describe, expect, test } from 'vitest';

import { heldToDocument } from '#grammar/openapi/check-exchange.ts';
import type { ExchangeFacts } from '#grammar/openapi/exchange.ts';
import { operationsOf } from '#grammar/openapi/operations.ts';
import { styledText } from '#grammar/openapi/styled-text.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

/** Problems of one exchange; undefined: the document has no such operation. */
function problems(document: JsonObject, exchange: Partial<ExchangeFacts>): readonly string[] | undefined {
  const facts = { method: 'get', path: '/a', query: [], status: 200, ...exchange };
  return heldToDocument(facts, operationsOf(document), document)?.problems;
}

describe('bodies', () => {
  const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
  const schemas: JsonObject = {
    Pet: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
    Dog: { allOf: [ref('Pet'), { required: ['bark'], properties: { bark: { type: 'boolean' } } }] },
    Cat: { allOf: [ref('Pet'), { required: ['lives'], properties: { lives: { type: 'integer' } } }] },
    Text: { type: 'string' },
    Tree: {
      $dynamicAnchor: 'node',
      type: 'object',
      properties: { children: { type: 'array', items: { $dynamicRef: '#node' } }, name: { $ref: '#word' } },
      $defs: { word: { $anchor: 'word', type: 'string' } },
    },
  };
  const pets = {
    oneOf: [ref('Dog'), ref('Cat')],
    discriminator: { propertyName: 'kind', mapping: { dog: '#/components/schemas/Dog', kitty: 'Cat' } },
  };
  const unmapped = { oneOf: [ref('Dog'), ref('Cat')], discriminator: { propertyName: 'kind' } };

  test.each<[title: string, version: string, schema: JsonObject, body: Json, fits: boolean]>([
    ['the alternative that a mapping names', '3.0.3', pets, { kind: 'dog', bark: true }, true],
    ['another one than the mapping names', '3.0.3', pets, { kind: 'dog', lives: 9 }, false],
    ['a mapping to a name', '3.0.3', pets, { kind: 'kitty', lives: 9 }, true],
    ['a name that the mapping lacks', '3.0.3', pets, { kind: 'fish', lives: 9, bark: true }, false],
    ['the name of a schema', '3.0.3', unmapped, { kind: 'Cat', bark: true }, false],
    ['a name of nothing, without a mapping', '3.0.3', unmapped, { kind: 'cat', lives: 9 }, true],
    ['what must not be', '3.1.0', { not: { type: 'string' } }, 'x', false],
    ['keywords beside a reference, version 3.0', '3.0.3', { ...ref('Text'), maxLength: 1 }, 'abc', true],
    ['keywords beside a reference, version 3.1', '3.1.0', { ...ref('Text'), maxLength: 1 }, 'abc', false],
    ['fields by pattern', '3.1.0', { patternProperties: { '^x-': { type: 'integer' } } }, { 'x-a': 'a' }, false],
    [
      'fields beside those by pattern',
      '3.1.0',
      { patternProperties: { '^x-': {} }, additionalProperties: false },
      { 'x-a': 1, y: 2 },
      false,
    ],
    ['names', '3.1.0', { propertyNames: { pattern: '^a' } }, { b: 1 }, false],
    ['elements as wanted', '3.1.0', { contains: { const: 1 }, minContains: 2 }, [1, 2], false],
    ['not too many of them', '3.1.0', { contains: { const: 1 }, maxContains: 1 }, [1, 2], true],
    [
      'a condition',
      '3.1.0',
      { if: { properties: { a: { const: 1 } } }, then: { required: ['b'] }, else: { required: ['c'] } },
      { a: 2, b: 1 },
      false,
    ],
    ['a field beside another', '3.1.0', { dependentRequired: { a: ['b'] } }, { a: 1 }, false],
    ['a form beside a field', '3.1.0', { dependentSchemas: { a: { required: ['c'] } } }, { a: 1, c: 1 }, true],
    ['a dynamic reference', '3.1.0', ref('Tree'), { children: [{ children: [5] }] }, false],
    ['an anchor', '3.1.0', ref('Tree'), { name: 5 }, false],
    ['32 bits', '3.0.3', { type: 'integer', format: 'int32' }, 2147483648, false],
    ['null in version 2.0', '3.0.3', { type: 'string', 'x-nullable': true }, null, true],
  ])('%s', (_, openapi, schema, json, fits) => {
    const answer = { content: { 'application/json': { schema } } };
    const document = { openapi, components: { schemas }, paths: { '/a': { get: { responses: { 200: answer } } } } };
    const found = problems(document, { responseBody: { type: 'application/json', json } });
    expect(found).toHaveLength(fits ? 0 : 1);
  });
});

const list = { type: 'array', items: { type: 'integer' } };
const colour = {
  type: 'object',
  properties: { r: { type: 'integer' }, g: { type: 'integer' } },
  required: ['r'],
  additionalProperties: false,
};

describe('parameters of queries', () => {
  const spaced = { style: 'spaceDelimited', explode: false, schema: list };
  const piped = { style: 'pipeDelimited', explode: false, schema: list };
  const deep = { style: 'deepObject', required: true, schema: colour };
  const content = { content: { 'application/json': { schema: colour } } };

  test.each<[parameter: JsonObject, query: ExchangeFacts['query'], fits: boolean]>([
    [
      { schema: list },
      [
        ['x', '1'],
        ['x', '2'],
      ],
      true,
    ],
    [
      { schema: list },
      [
        ['x', '1'],
        ['x', 'b'],
      ],
      false,
    ],
    [
      { schema: { ...list, maxItems: 1 } },
      [
        ['x', '1'],
        ['x', '2'],
      ],
      false,
    ],
    [{ explode: false, schema: list }, [['x', '1,2']], true],
    [{ explode: false, schema: list }, [['x', '1,b']], false],
    [spaced, [['x', '1 2']], true],
    [piped, [['x', '1|2']], true],
    [piped, [['x', '1|b']], false],
    [
      deep,
      [
        ['x[r]', '1'],
        ['x[g]', '2'],
      ],
      true,
    ],
    [deep, [['x[r]', 'b']], false],
    [deep, [['x[g]', '2']], false],
    [deep, [], false],
    [content, [['x', '{"r":1}']], true],
    [content, [['x', '{"r":"b"}']], false],
    [content, [['x', '{r}']], false],
  ])('%j: %j', (parameter, query, fits) => {
    const parameters = [{ name: 'x', in: 'query', ...parameter }];
    const document = { openapi: '3.1.0', paths: { '/a': { get: { parameters, responses: { 200: {} } } } } };
    expect(problems(document, { query })).toHaveLength(fits ? 0 : 1);
  });
});

describe('parameters of paths', () => {
  const plain = { schema: { type: 'integer' } };
  test.each<[parameter: JsonObject, value: Json, written: string, wrong: string]>([
    [plain, 5, '5', 'x'],
    [{ schema: list }, [1, 2], '1,2', '1,x'],
    [{ schema: colour }, { r: 1, g: 2 }, 'r,1,g,2', 'r,x'],
    [{ explode: true, schema: colour }, { r: 1, g: 2 }, 'r=1,g=2', 'r=x'],
    [{ style: 'label', ...plain }, 5, '.5', '5'],
    [{ style: 'label', schema: list }, [1, 2], '.1,2', '.1,x'],
    [{ style: 'label', explode: true, schema: list }, [1, 2], '.1.2', '.1.x'],
    [{ style: 'label', explode: true, schema: colour }, { r: 1, g: 2 }, '.r=1.g=2', '.g=1'],
    [{ style: 'matrix', ...plain }, 5, ';id=5', ';id=x'],
    [{ style: 'matrix', schema: list }, [1, 2], ';id=1,2', '1,2'],
    [{ style: 'matrix', explode: true, schema: list }, [1, 2], ';id=1;id=2', ';id=1;id=x'],
    [{ style: 'matrix', schema: colour }, { r: 1, g: 2 }, ';id=r,1,g,2', ';id=r,x'],
    [{ style: 'matrix', explode: true, schema: colour }, { r: 1, g: 2 }, ';r=1;g=2', ';r=x'],
  ])('%j: %j is written %s', (given, value, written, wrong) => {
    const parameter = { name: 'id', in: 'path', required: true, ...given };
    const document = {
      openapi: '3.0.3',
      paths: { '/a/{id}': { parameters: [parameter], get: { responses: { 200: {} } } } },
    };
    expect(styledText({ name: 'id', source: parameter }, value, encodeURIComponent)).toBe(written);
    expect(problems(document, { path: `/a/${written}` })).toEqual([]);
    expect(problems(document, { path: `/a/${wrong}` })).toHaveLength(1);
  });
});
