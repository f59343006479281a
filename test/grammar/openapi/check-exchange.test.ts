import { describe, expect, test } from 'vitest';

import { heldToDocument } from '#grammar/openapi/check-exchange.ts';
import type { ExchangeFacts } from '#grammar/openapi/exchange.ts';
import { serverBasePath } from '#grammar/openapi/base-path.ts';
import { operationsOf } from '#grammar/openapi/operations.ts';
import { readOpenApi } from '#grammar/openapi/read.ts';
import type { Json } from '#schemas/types/json.ts';

const texts = {
  'of version 3': `
openapi: 3.0.3
servers: [{ url: 'https://shop.example/{stage}/v1/', variables: { stage: { default: live } } }]
paths:
  /goods:
    parameters: [{ name: X-Trace, in: header, schema: { type: string } }]
    get:
      parameters:
        - { $ref: '#/components/parameters/page' }
        - { name: sort, in: query, required: true, schema: { type: string, enum: [name, price] } }
        - { name: tags, in: query, schema: { type: array, items: { type: string } } }
      responses: { 200: { content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Good' } } } } }, 4XX: {} }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Good' } } } }
      responses: { 201: { content: { application/json: { schema: { $ref: '#/components/schemas/Good' } } } }, default: {} }
  /goods/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { 200: { content: { 'application/json; charset=utf-8': { schema: { $ref: '#/components/schemas/Good' } } } } }
components:
  parameters: { page: { name: page, in: query, schema: { type: integer } } }
  schemas: { Good: { type: object, required: [name], properties: { name: { type: string }, price: { type: number, nullable: true } } } }
  securitySchemes: { key: { type: apiKey, in: query, name: api_key } }
`,
  'of version 2': `
swagger: '2.0'
basePath: /live/v1
produces: [application/json]
consumes: [application/json]
paths:
  /goods:
    get:
      parameters:
        - { name: page, in: query, type: integer }
        - { name: sort, in: query, required: true, type: string, enum: [name, price] }
        - { name: tags, in: query, type: array, items: { type: string } }
      responses: { 200: { schema: { type: array, items: { $ref: '#/definitions/Good' } } }, 4XX: {} }
    post:
      parameters: [{ name: body, in: body, required: true, schema: { $ref: '#/definitions/Good' } }]
      responses: { 201: { schema: { $ref: '#/definitions/Good' } }, default: {} }
  /goods/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, type: integer }]
      responses: { 200: { schema: { $ref: '#/definitions/Good' } } }
definitions: { Good: { type: object, required: [name], properties: { name: { type: string }, price: { type: number, x-nullable: true } } } }
securityDefinitions: { key: { type: apiKey, in: query, name: api_key } }
`,
};

const json = (
  value: ExchangeFacts['responseBody'] extends infer _ ? unknown : never,
): { type: string; json: never } => ({
  type: 'application/json',
  json: value as never,
});
const get = (facts: Partial<ExchangeFacts>): ExchangeFacts => ({
  method: 'GET',
  path: '/goods',
  query: [['sort', 'name']],
  status: 200,
  ...facts,
});

describe.each(Object.entries(texts))('a document %s', (_, text) => {
  test.each<[string, ExchangeFacts, readonly string[] | undefined]>([
    ['fits', get({ responseBody: json([{ name: 'tea', price: 1 }]) }), []],
    [
      'fits with a key in the query',
      get({
        query: [
          ['sort', 'price'],
          ['api_key', 'x'],
          ['tags', 'a'],
          ['tags', 'b'],
          ['page', '2'],
        ],
      }),
      [],
    ],
    ['another operation', get({ path: '/others' }), undefined],
    ['another verb', get({ method: 'PUT' }), undefined],
    [
      'an undeclared parameter',
      get({
        query: [
          ['sort', 'name'],
          ['size', '1'],
        ],
      }),
      ['query parameter "size" is not declared'],
    ],
    ['a missing parameter', get({ query: [] }), ['required query parameter "sort" was not sent']],
    [
      'a value of another type',
      get({
        query: [
          ['sort', 'name'],
          ['page', 'x'],
        ],
      }),
      ['query parameter "page": "x" is no integer'],
    ],
    [
      'a value that is none of them',
      get({ query: [['sort', 'size']] }),
      ['query parameter "sort": "size" is none of ["name","price"]'],
    ],
    ['a path parameter', get({ path: '/goods/tea', query: [] }), ['path parameter "id": "tea" is no integer']],
    ['a status', get({ status: 500 }), ['status 500 is not declared']],
    ['a range of statuses', get({ status: 404 }), []],
    [
      'an answer',
      get({ responseBody: json([{ price: 'x' }]) }),
      ['response body $[0]: "name" is missing', 'response body $[0].price: expected number, got string'],
    ],
    [
      'a media type',
      get({ responseBody: { type: 'text/html' } }),
      ['response body: media type text/html is not declared (application/json)'],
    ],
    [
      'an answer of unknown type',
      get({ responseBody: { json: { name: 'x' } } }),
      ['response body $: expected array, got object'],
    ],
    [
      'no request body',
      { method: 'POST', path: '/goods', query: [], status: 400 },
      ['the declared request body was not sent'],
    ],
    [
      'a request body',
      { method: 'POST', path: '/goods', query: [], status: 201, requestBody: json({}) },
      ['request body $: "name" is missing'],
    ],
    [
      'a request body that is not declared',
      get({ requestBody: json({}) }),
      ['a request body was sent, and none is declared'],
    ],
  ])('%s', async (_name, facts, expected) => {
    const read = await readOpenApi(text);
    if ('error' in read) throw new Error(read.error);
    expect(heldToDocument(facts, operationsOf(read.document), read.document)?.problems).toEqual(expected);
    expect(serverBasePath(read.document)).toBe('/live/v1');
  });
});

describe('reading', () => {
  test.each([
    ['{"openapi": "3.1.0", "paths": {}}', undefined],
    ['{openapi: 3.1.0, paths: {}}', undefined],
    ['[]', 'it is no object'],
    ['{"paths": {}}', 'it has neither "openapi" nor "swagger" with a version'],
    ['openapi: 3.1.0\npaths: []', '"paths" is no object'],
  ])('%s', async (text, error) => {
    const read = await readOpenApi(text);
    expect('error' in read ? read.error : undefined).toBe(error);
  });

  test('bounds what aliases stand for', async () => {
    const levels = Array.from(
      { length: 12 },
      (_, index) => `l${index + 1}: &l${index + 1} [${`*l${index}, `.repeat(9)}*l${index}]`,
    );
    const read = await readOpenApi(`openapi: 3.1.0\nl0: &l0 [x, x]\n${levels.join('\n')}\n`);
    expect('error' in read ? read.error : '').toContain('more than 1000000 values');
  });
});

describe('a path that two templates fit alike', () => {
  const answer = (type: string): string =>
    `responses: { 200: { content: { application/json: { schema: { type: ${type} } } } } }`;
  const text = `
openapi: 3.1.0
paths:
  /{kind}/me: { get: { ${answer('string')} } }
  /books/{id}: { get: { ${answer('object')} } }
`;
  test.each<[string, Json, string | undefined]>([
    ['/books/me', 'ada', 'get /{kind}/me'],
    ['/films/me', 'ada', 'get /{kind}/me'],
    ['/books/me', {}, 'get /books/{id}'],
    ['/books/7', {}, 'get /books/{id}'],
  ])('%s answered by %j is the operation that it fits', async (path, json, key) => {
    const read = await readOpenApi(text);
    if (!('document' in read)) throw new Error('no document');
    const facts = { method: 'GET', path, query: [], status: 200, responseBody: { type: 'application/json', json } };
    const found = heldToDocument(facts, operationsOf(read.document), read.document);
    expect([found?.operation.key.toLowerCase(), found?.problems]).toEqual([key, []]);
  });

  test('is a finding where it fits none of them', async () => {
    const read = await readOpenApi(text);
    if (!('document' in read)) throw new Error('no document');
    const facts = { method: 'GET', path: '/books/me', query: [], status: 200, responseBody: { json: 7 } };
    expect(heldToDocument(facts, operationsOf(read.document), read.document)?.problems).toHaveLength(1);
  });

  test('is the operation that the request fits, whatever was answered', async () => {
    const takes = (name: string): string =>
      `requestBody: { content: { application/json: { schema: { required: [${name}] } } } }`;
    const read = await readOpenApi(`
openapi: 3.1.0
paths:
  /jobs#start: { post: { ${takes('start')}, responses: { 200: { content: { application/json: { schema: { required: [a, b] } } } } } } }
  /jobs#stop: { post: { ${takes('stop')}, responses: { 200: {} } } }
`);
    if (!('document' in read)) throw new Error('no document');
    const json = { type: 'application/json' };
    const asked = { method: 'POST', path: '/jobs', query: [], requestBody: { ...json, json: { start: 1 } } };
    const facts = { ...asked, status: 200, responseBody: { ...json, json: {} } };
    const found = heldToDocument(facts, operationsOf(read.document), read.document);
    expect([found?.operation.path, found?.problems.length]).toEqual(['/jobs#start', 2]);
  });
});

test('an operation that declares no answer allows any', async () => {
  const read = await readOpenApi(
    'openapi: 3.1.0\npaths: { /a: { get: {} }, /b: { get: { responses: { 201: {} } } } }\n',
  );
  if (!('document' in read)) throw new Error('no document');
  const problems = ['/a', '/b'].map((path) => {
    const facts = { method: 'GET', path, query: [], status: 200 };
    return heldToDocument(facts, operationsOf(read.document), read.document)?.problems;
  });
  expect(problems).toEqual([[], ['status 200 is not declared']]);
});
