import { describe, expect, test } from 'vitest';

import { makeValue } from '#grammar/openapi/make-value.ts';
import type { Json, JsonObject } from '#schemas/types/json.ts';
import { checkRecords } from '#stdlib/api/interfaces/spec/check-records.ts';

/** Numbers from 0 to below 1 that repeat. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const forms: readonly JsonObject[] = [
  { type: 'string', minLength: 1, maxLength: 20 },
  { type: 'integer', minimum: 0, maximum: 1000 },
  { type: 'number', minimum: -10, maximum: 10 },
  { type: 'boolean' },
  { type: 'string', enum: ['open', 'done', 'lost'] },
  { type: 'string', format: 'date-time' },
  { type: 'string', format: 'uuid' },
  { type: 'string', pattern: '^[A-Z]{3}-[0-9]{2}$' },
  { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 4 },
  { type: 'array', items: { $ref: '#/components/schemas/Part' } },
];

/**
 * A document of some service: 3.0 or 3.1, fields of all forms under chosen names, references, alternatives, several
 * statuses and types.
 */
function documentOf(seed: number): JsonObject {
  const chance = seeded(seed);
  const old = chance() < 0.4;
  const extra = Object.fromEntries(
    Array.from({ length: 2 + Math.floor(chance() * 4) }, (_, index) => [
      `f${index}`,
      forms[Math.floor(chance() * forms.length)] ?? {},
    ]),
  );
  const nullable: JsonObject = old ? { type: 'string', nullable: true } : { type: ['string', 'null'] };
  const thing: JsonObject = {
    type: 'object',
    required: ['id', 'state', 'at', 'code', 'tags', 'part', ...Object.keys(extra).slice(0, 1)],
    additionalProperties: false,
    properties: {
      id: { type: 'integer', minimum: 1, maximum: 9999 },
      state: { type: 'string', enum: ['open', 'done'] },
      at: { type: 'string', format: 'date-time' },
      code: { type: 'string', pattern: '^[A-Z]{2}[0-9]{3}$' },
      name: { type: 'string', maxLength: 12 },
      note: nullable,
      tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
      part: { $ref: '#/components/schemas/Part' },
      either: {
        oneOf: [{ type: 'integer' }, { type: 'object', required: ['x'], properties: { x: { type: 'boolean' } } }],
      },
      ...extra,
    },
  };
  const answer = (schema: JsonObject): JsonObject => ({
    description: 'x',
    content: { 'application/json': { schema } },
  });
  const name = ['orders', 'pets', 'jobs', 'users'][Math.floor(chance() * 4)] ?? 'things';
  return {
    openapi: old ? '3.0.3' : '3.1.0',
    info: { title: name, version: '1' },
    servers: [{ url: 'https://api.example/v1' }],
    components: {
      schemas: {
        Thing: thing,
        Part: { type: 'object', required: ['n'], properties: { n: { type: 'number' }, of: { type: 'string' } } },
      },
    },
    paths: {
      [`/${name}`]: {
        get: {
          parameters: [
            { name: 'limit', in: 'query', required: true, schema: { type: 'integer', minimum: 1, maximum: 100 } },
            { name: 'state', in: 'query', schema: { enum: ['open', 'done'] } },
          ],
          responses: { 200: answer({ type: 'array', items: { $ref: '#/components/schemas/Thing' } }) },
        },
        post: {
          parameters: [{ name: 'X-Key', in: 'header', required: true, schema: { type: 'string' } }],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          responses: { 201: answer({ $ref: '#/components/schemas/Thing' }), 400: answer({ type: 'object' }) },
        },
      },
      [`/${name}/{id}`]: {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: { 200: answer({ $ref: '#/components/schemas/Thing' }), 404: { description: 'none' } } },
      },
    },
  };
}

type Fields = Record<string, Json>;
/** A request as the log keeps it. */
type Recorded = Record<string, Json>;

/** Traffic that the document allows: one of each operation, and an answer without a body. */
function trafficOf(document: JsonObject, chance: () => number): Recorded[] {
  const [list = '', one = ''] = Object.keys(document['paths'] as JsonObject);
  const made = (): Fields => makeValue({ $ref: '#/components/schemas/Thing' }, { document, chance }) as Fields;
  const json = { 'content-type': 'application/json; charset=utf-8' };
  const base = 'https://api.example/v1';
  return [
    {
      request_method: 'GET',
      request_url: `${base}${list}?limit=10&state=done`,
      request_headers: {},
      status_code: 200,
      headers: json,
      text: JSON.stringify([made(), made()]),
    },
    {
      request_method: 'POST',
      request_url: base + list,
      request_headers: { 'X-Key': 'k', ...json },
      request_body: JSON.stringify(made()),
      status_code: 201,
      headers: json,
      text: JSON.stringify(made()),
    },
    {
      request_method: 'GET',
      request_url: base + one.replace('{id}', '7'),
      request_headers: {},
      status_code: 200,
      headers: json,
      text: JSON.stringify(made()),
    },
    {
      request_method: 'GET',
      request_url: base + one.replace('{id}', '8'),
      request_headers: {},
      status_code: 404,
      headers: {},
      text: '',
    },
  ];
}

/** Changes the body of the third record. */
const body =
  (change: (fields: Fields) => void) =>
  (records: Recorded[]): void => {
    const record = records[2] as Recorded;
    const fields = JSON.parse(record['text'] as string) as Fields;
    change(fields);
    record['text'] = JSON.stringify(fields);
  };
const at =
  (index: number, change: (record: Recorded) => void) =>
  (records: Recorded[]): void =>
    change(records[index] as Recorded);

/** Ways in which a service drifts away from its document. */
const drifts: Readonly<Record<string, (records: Recorded[]) => void>> = {
  'a number became text': body((fields) => (fields['id'] = '7')),
  'a required field is gone': body((fields) => delete fields['state']),
  'a value of no list': body((fields) => (fields['state'] = 'paused')),
  'a number beyond its limit': body((fields) => (fields['id'] = 10_000)),
  'a text beyond its length': body((fields) => (fields['name'] = 'x'.repeat(13))),
  'another form of time': body((fields) => (fields['at'] = '24.12.2024 18:00')),
  'a text against its pattern': body((fields) => (fields['code'] = 'ab-1')),
  'null where nothing may be': body((fields) => (fields['tags'] = null)),
  'an element of another type': body((fields) => (fields['tags'] = ['a', 1])),
  'a field that nobody declared': body((fields) => (fields['extra'] = 1)),
  'a mistake behind a reference': body((fields) => (fields['part'] = { of: 'x' })),
  'none of the alternatives': body((fields) => (fields['either'] = 'text')),
  'a list became an object': at(0, (record) => (record['text'] = '{"items":[]}')),
  'a status that nobody declared': at(2, (record) => (record['status_code'] = 202)),
  'another media type': at(2, (record) => (record['headers'] = { 'content-type': 'text/html' })),
  'a path that nobody declared': at(2, (record) => (record['request_url'] = 'https://api.example/v1/other/7')),
  'a verb that nobody declared': at(2, (record) => (record['request_method'] = 'DELETE')),
  'a parameter that nobody declared': at(
    0,
    (record) => (record['request_url'] = `${String(record['request_url'])}&page=2`),
  ),
  'a required parameter is gone': at(
    0,
    (record) => (record['request_url'] = String(record['request_url']).replace('limit=10&', '')),
  ),
  'a parameter of another type': at(
    2,
    (record) => (record['request_url'] = String(record['request_url']).replace('/7', '/seven')),
  ),
  'a required header is gone': at(1, (record) => (record['request_headers'] = { 'content-type': 'application/json' })),
  'a request body of another form': at(1, (record) => (record['request_body'] = '{"id":1}')),
  'no request body': at(1, (record) => (record['request_body'] = null)),
  'a value of a parameter of no list': at(
    0,
    (record) => (record['request_url'] = String(record['request_url']).replace('done', 'gone')),
  ),
  'a parameter beyond its limit': at(
    0,
    (record) => (record['request_url'] = String(record['request_url']).replace('=10', '=101')),
  ),
};

describe('the check of a document against traffic', () => {
  const documents = Array.from({ length: 20 }, (_, index) => documentOf(index + 1));

  test('has nothing against traffic that 20 documents allow', () => {
    for (const [index, document] of documents.entries())
      for (let round = 0; round < 10; round++)
        expect(checkRecords(trafficOf(document, seeded(index * 100 + round)), document, 1).failures).toEqual([]);
  });

  test('finds each of 300 drifts', () => {
    const missed: string[] = [];
    let seeds = 0;
    for (const [index, document] of documents.slice(0, 12).entries())
      for (const [name, drift] of Object.entries(drifts)) {
        const records = trafficOf(document, seeded(index * 100 + seeds));
        drift(records);
        seeds += 1;
        if (checkRecords(records, document, 0).ok) missed.push(`${index}: ${name}`);
      }
    expect(seeds).toBe(300);
    expect(missed).toEqual([]);
  });

  // Shapes of documents that services publish, though the specification knows some of them not.
  const link: JsonObject = {
    type: 'object',
    required: ['link'],
    properties: { link: { type: 'object', nullable: true } },
  };
  const named: JsonObject = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const put = (schema: JsonObject): JsonObject => ({
    put: {
      requestBody: { required: true, content: { 'application/json': { schema } } },
      responses: { 200: { description: 'x', content: { 'application/json': { schema } } } },
    },
  });
  const inPath = (...names: string[]): JsonObject[] =>
    names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'number' } }));
  const get = (parameters: JsonObject[]): JsonObject => ({
    get: { parameters, responses: { '2XX': { description: 'x' } } },
  });
  const published: JsonObject = {
    openapi: '3.0.2',
    info: { title: 'published', version: '1' },
    servers: [{ url: '//api.example/v2/' }],
    paths: {
      '/files/{id}': put(named),
      '/files/{id}#remove_link': put(link),
      '/alerts?lat={lat}&lon={lon}': get(inPath('lat', 'lon')),
      '/alerts?city={city}': get(inPath()),
      '/pages/{name}{ending}': get([]),
      '/verses/{number}': get([
        { name: 'number', in: 'path', required: true, schema: { type: 'string', enum: [1, 2] } },
      ]),
    },
  };
  const exchange = (method: string, path: string, text?: string): Recorded => ({
    request_method: method,
    request_url: `https://api.example/v2${path}`,
    request_headers: { 'content-type': 'application/json' },
    request_body: text ?? null,
    status_code: 200,
    headers: text === undefined ? {} : { 'content-type': 'application/json' },
    text: text ?? '',
  });

  test('has nothing against operations that a query or a fragment in their paths tells apart', () => {
    const fine = [
      exchange('PUT', '/files/7', '{"name":"a"}'),
      exchange('PUT', '/files/7', '{"link":null}'),
      exchange('GET', '/alerts?lat=1.5&lon=2'),
      exchange('GET', '/alerts?city=Rome'),
      exchange('GET', '/pages/home.json'),
      exchange('GET', '/verses/2'),
    ];
    const report = checkRecords(fine, published, 1);
    expect(report.failures).toEqual([]);
    expect(report.uncovered).toEqual([]);
    for (const wrong of [
      exchange('PUT', '/files/7', '{"link":1}'),
      exchange('GET', '/alerts?town=Rome'),
      exchange('GET', '/verses/3'),
    ])
      expect(checkRecords([wrong], published, 0).ok).toBe(false);
  });
});
