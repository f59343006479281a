import { describe, expect, test } from 'vitest';

import { exchangeAnswerProblems } from '#grammar/openapi/check-answer.ts';
import { gatherFiles } from '#grammar/openapi/gather-files.ts';
import { operationsOf } from '#grammar/openapi/operations.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';

const json = (schema: Json): JsonObject => ({ content: { 'application/json': { schema } } });

const files: Readonly<Record<string, Json>> = {
  '/work/common/error.json': {
    Error: { type: 'object', required: ['code'], properties: { code: { type: 'integer' } } },
  },
  '/work/api/pets.yaml': {
    get: {
      responses: { 200: json({ $ref: 'schemas/pet.yaml' }), default: json({ $ref: '../common/error.json#/Error' }) },
    },
  },
  '/work/api/schemas/pet.yaml': {
    type: 'object',
    required: ['name'],
    properties: { name: { $ref: '#/$defs/name' }, kids: { type: 'array', items: { $ref: './pet.yaml' } } },
    $defs: { name: { type: 'string' } },
  },
  '/work/api/schemas/cat.yaml': { type: 'object', required: ['purrs'] },
  '/etc/secret.json': { enum: ['secret'] },
};

const document: JsonObject = {
  openapi: '3.1.0',
  paths: {
    '/pets': { $ref: './pets.yaml' },
    '/animals': {
      get: {
        responses: {
          200: json({
            oneOf: [{ $ref: 'schemas/cat.yaml' }, { $ref: '#/components/schemas/Dog' }],
            discriminator: { propertyName: 'kind', mapping: { cat: 'schemas/cat.yaml', dog: 'Dog' } },
          }),
        },
      },
    },
    '/outside': { get: { responses: { 200: json({ $ref: '../../etc/secret.json' }) } } },
    '/elsewhere': { get: { responses: { 200: json({ $ref: 'https://a.example/x.json' }) } } },
    '/missing': { get: { responses: { 200: json({ $ref: 'none.json', example: { $ref: 'a.json' } }) } } },
  },
  components: { schemas: { Dog: { type: 'object', required: ['barks'] } } },
};

describe('a document of several files', () => {
  const asked: string[] = [];
  const gathered = gatherFiles(document, {
    path: '/work/api/openapi.yaml',
    root: '/work',
    read: (path) => {
      asked.push(path);
      return Promise.resolve(files[path]);
    },
  });

  test.each<[string, number, Json, number]>([
    ['/pets', 200, { name: 'a', kids: [{ name: 'b' }] }, 0],
    ['/pets', 200, { name: 'a', kids: [{ name: 1 }] }, 1],
    ['/pets', 400, { code: 'x' }, 1],
    ['/animals', 200, { kind: 'cat', purrs: true }, 0],
    ['/animals', 200, { kind: 'cat', barks: true }, 1],
    ['/animals', 200, { kind: 'dog', barks: true }, 0],
    ['/outside', 200, 'anything', 0],
    ['/elsewhere', 200, 'anything', 0],
    ['/missing', 200, 'anything', 0],
  ])('%s %i %j has %i findings', async (path, status, value, count) => {
    const whole = await gathered;
    const operation = operationsOf(whole).find((one) => one.path === path);
    const body = { type: 'application/json', json: value };
    const exchange = { method: 'GET', path, query: [], status, responseBody: body };
    expect(operation && exchangeAnswerProblems(exchange, operation, whole)).toHaveLength(count);
  });

  test('reads each file once, none outside of the root, and leaves alone what is no file', async () => {
    const whole = await gathered;
    expect(asked.toSorted()).toEqual([
      '/work/api/a.json',
      '/work/api/none.json',
      '/work/api/pets.yaml',
      '/work/api/schemas/cat.yaml',
      '/work/api/schemas/pet.yaml',
      '/work/common/error.json',
    ]);
    expect(JSON.stringify(whole)).toContain('"example":{"$ref":"a.json"}');
    expect(document).not.toHaveProperty('x-files');
  });

  test('is itself where it refers to no file', async () => {
    const one: JsonObject = { openapi: '3.1.0', paths: { '/a': { $ref: '#/components/pathItems/a' } } };
    const read = (): never => expect.fail('nothing is to be read');
    expect(await gatherFiles(one, { path: '/a/b.yaml', root: '/a', read })).toBe(one);
  });

  test('of a size that doubles with each alias stays as it is', async () => {
    let value: Json = { $ref: 'pet.yaml' };
    for (let depth = 0; depth < 64; depth++) value = [value, value];
    const whole = await gatherFiles(
      { openapi: '3.1.0', paths: {}, 'x-all': value },
      { path: '/work/api/schemas/a.yaml', root: '/work', read: (path) => Promise.resolve(files[path]) },
    );
    expect(Object.keys(whole)).toContain('x-files');
  });
});
