import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readOpenApi } from '#grammar/openapi/read.ts';
import type { JsonObject } from '#schemas/types/json.ts';
import { checkRecords } from '#stdlib/api/interfaces/spec/check-records.ts';
import { recoverOpenApi } from '#stdlib/api/interfaces/spec/recover.ts';

import { call, failureOf, session } from '../call.ts';
import { startApiServer } from './api-server.ts';
import type { Started } from './servers.ts';

let folder = '';
let server: Started;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-spec-'));
  server = await startApiServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const record = (method: string, path: string, status: number, body?: unknown, sent?: unknown): JsonObject => ({
  request_method: method,
  request_url: `http://shop.example/api${path}`,
  status_code: status,
  headers: body === undefined ? {} : { 'Content-Type': typeof body === 'string' ? 'text/plain' : 'application/json' },
  text: body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body),
  request_body: sent === undefined ? null : JSON.stringify(sent),
});

describe('a recovered document', () => {
  const records = fc.array(
    fc
      .record({
        method: fc.constantFrom('GET', 'POST', 'DELETE'),
        path: fc.constantFrom('/a', '/a?x=1', '/b/7?y=2&x=3', '/c'),
        status: fc.constantFrom(200, 201, 404),
        body: fc.option(
          fc.oneof(
            fc.string(),
            fc.jsonValue({ maxDepth: 2 }).filter((value) => typeof value !== 'string'),
          ),
          { nil: undefined },
        ),
        sent: fc.option(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 })), { nil: undefined }),
      })
      .map(({ method, path, status, body, sent }) => record(method, path, status, body, sent)),
    { maxLength: 12 },
  );

  test('is the same for the same records in any order, and takes all of them', () => {
    fc.assert(
      fc.property(records, (list) => {
        const document = recoverOpenApi(list, { title: 't', version: '1' });
        expect(JSON.stringify(recoverOpenApi(list.toReversed(), { title: 't', version: '1' }))).toBe(
          JSON.stringify(document),
        );
        const report = checkRecords(list, { ...document }, 1);
        expect(report.failures).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('has no content where no body was seen', () => {
    const document = recoverOpenApi([record('GET', '/goods', 204)], { title: 't', version: '1' });
    expect(Object.keys(document.paths)).toHaveLength(1);
    expect(JSON.stringify(document)).toContain('"204":{"description":"inferred"}');
  });

  test('has one operation for each verb and path, with what was seen', () => {
    const document = recoverOpenApi(
      [
        record('GET', '/goods?page=2&size=5', 200, [{ id: 1 }]),
        record('GET', '/goods', 200, [{ id: 2, name: 'x' }]),
        record('GET', '/goods', 404, 'gone'),
        record('POST', '/goods', 201, { id: 3 }, { name: 'y' }),
        record('GET', '/goods/7', 204),
      ],
      { title: 'Goods', version: '2', templates: ['/goods/{good}'], basePath: '/api', servers: [{ url: '/api' }] },
    );
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Goods', version: '2' },
      servers: [{ url: '/api' }],
      paths: {
        '/goods': {
          get: {
            parameters: [
              { name: 'page', in: 'query', required: false, schema: { type: 'string' } },
              { name: 'size', in: 'query', required: false, schema: { type: 'string' } },
            ],
            responses: {
              '200': { content: { 'application/json': { schema: { type: 'array', items: { required: ['id'] } } } } },
              '404': { content: { 'text/plain': { schema: { type: 'string' } } } },
            },
          },
          post: { requestBody: { required: true, content: { 'application/json': {} } } },
        },
        '/goods/{good}': {
          get: {
            parameters: [{ name: 'good', in: 'path', required: true }],
            responses: { '204': { description: 'inferred' } },
          },
        },
      },
    });
    expect(Object.keys(document.paths)).toEqual(['/goods', '/goods/{good}']);
  });
});

test('a recovered document has each media type that was seen, and holds its traffic', () => {
  const typed = (status: number, type: string | undefined, text: string): ReturnType<typeof record> => ({
    ...record('GET', '/goods', status),
    headers: type === undefined ? {} : { 'Content-Type': `${type}; charset=utf-8` },
    text,
  });
  const list = [
    typed(200, 'text/csv', 'a,b'),
    typed(200, 'application/json', '{"a":1}'),
    typed(400, 'application/problem+json', '{"title":"x"}'),
    typed(400, 'application/json', 'cut off {'),
    typed(500, undefined, 'oops'),
    {
      ...record('POST', '/goods', 201),
      request_headers: { 'content-type': 'application/x-www-form-urlencoded' },
      request_body: 'a=1',
    },
  ];
  const document = recoverOpenApi(list, { title: 't', version: '1' });
  const contents = JSON.parse(JSON.stringify(document.paths['/api/goods'])) as Record<string, never>;
  expect(contents).toMatchObject({
    get: {
      responses: {
        200: { content: { 'application/json': { schema: { type: 'object' } }, 'text/csv': {} } },
        400: { content: { 'application/json': { schema: { type: 'string' } }, 'application/problem+json': {} } },
        500: { content: { 'text/plain': {} } },
      },
    },
    post: { requestBody: { content: { 'application/x-www-form-urlencoded': {} } } },
  });
  expect(checkRecords(list, { ...document }, 1).failures).toEqual([]);
});

describe('AT_check_spec_against_tests', () => {
  const spec = (): string => {
    const path = join(folder, 'openapi.json');
    writeFileSync(
      path,
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Jobs', version: '3' },
        servers: [{ url: server.url }],
        paths: {
          '/jobs/{id}': {
            get: {
              parameters: [{ name: 'id', in: 'path', required: true, example: 7, schema: { type: 'integer' } }],
              responses: {
                '200': {
                  description: '',
                  content: { 'application/json': { schema: { type: 'object', required: ['id', 'owner'] } } },
                },
              },
            },
          },
          '/login': {
            post: {
              requestBody: {
                content: {
                  'application/json': {
                    schema: {
                      type: 'object',
                      properties: { user: { type: 'string', example: 'ada' }, n: { type: 'integer', minimum: 3 } },
                    },
                  },
                },
              },
              responses: { '200': { description: '' } },
            },
          },
        },
      }),
    );
    return path;
  };

  test('finds drift, undocumented operations and low coverage, and writes what is missing first', async () => {
    await using unit = await session();
    await unit.call('AT_test_api_method', { http_method: 'get', test_url: `${server.url}/jobs/7` });
    await unit.call('AT_test_api_method', { http_method: 'get', test_url: `${server.url}/echo?x=1` });
    const [missing, inferred] = [join(folder, 'more', 'missing.json'), join(folder, 'more', 'inferred.yaml')];
    const error = await failureOf(
      unit.call('AT_check_spec_against_tests', {
        spec_path: spec(),
        min_coverage: 0.9,
        missing_actions_path: missing,
        inferred_spec_path: inferred,
      }),
    );
    expect(error.facts).toMatchObject({ code: 'SVC84022', name: 'APIAssertException' });
    expect(error.options.result).toMatchObject({
      ok: false,
      coverage: 0.5,
      covered: ['GET /jobs/{id}'],
      uncovered: ['POST /login'],
      undocumented: ['GET /echo'],
      problems: [{ request: 'GET /jobs/7 -> 200', problem: 'response body $: "owner" is missing' }],
      failures: [
        'GET /echo is not documented',
        'GET /jobs/7 -> 200: response body $: "owner" is missing',
        'coverage 50 % is below the minimum of 90 %',
      ],
    });
    const actions = (JSON.parse(readFileSync(missing, 'utf8')) as { svc: [string, Record<string, unknown>][] }).svc;
    expect(actions).toEqual([
      [
        'AT_test_api_method',
        {
          http_method: 'post',
          test_url: `${server.url}/login`,
          json: { user: 'ada', n: 3 },
          result_check_dict: { status_code: 200 },
        },
      ],
    ]);
    await expect(unit.call(actions[0]?.[0] ?? '', actions[0]?.[1])).resolves.toMatchObject({ status_code: 200 });
    const read = await readOpenApi(readFileSync(inferred, 'utf8'));
    expect(read).toMatchObject({
      document: { info: { title: 'Jobs', version: '3' }, paths: { '/jobs/{id}': { get: {} }, '/echo': { get: {} } } },
    });
  });

  test('reads saved reports', async () => {
    const saved = join(folder, 'saved_success.json');
    writeFileSync(
      saved,
      JSON.stringify({
        successes: [{ ...record('GET', '', 200, { id: 7, owner: 'a' }), request_url: 'http://other/jobs/7' }],
      }),
    );
    await expect(
      call('AT_check_spec_against_tests', { spec_path: spec(), report_paths: [saved] }),
    ).resolves.toMatchObject({
      ok: true,
      coverage: 0.5,
    });
  });

  test('follows references to files beside the document', async () => {
    const path = join(folder, 'split.yaml');
    writeFileSync(join(folder, 'job.json'), '{"Job": {"required": ["owner"]}}');
    const media = '{ description: x, content: { application/json: { schema: { $ref: "./job.json#/Job" } } } }';
    writeFileSync(path, `{ openapi: 3.1.0, paths: { "/jobs/{id}": { get: { responses: { default: ${media} } } } } }`);
    await using unit = await session();
    await unit.call('AT_test_api_method', { http_method: 'get', test_url: `${server.url}/jobs/7` });
    const error = await failureOf(unit.call('AT_check_spec_against_tests', { spec_path: path }));
    expect(error.message).toContain('"owner" is missing');
  });
});
