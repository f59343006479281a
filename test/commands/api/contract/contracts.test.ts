import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { JsonObject } from '#schemas/types/json.ts';
import { contractFindings } from '#stdlib/api/interfaces/contract/contract-file.ts';
import { wholeMatch } from '#stdlib/api/interfaces/contract/verify.ts';
import { unsafePath } from '#stdlib/api/interfaces/contract/safe-path.ts';

import { call, failureOf, session } from '../../call.ts';
import { startHttp, type Started } from '../servers.ts';

describe('a path', () => {
  test.each(['/', '/goods/7', '/a%20b', '/a/..b/c', '/%E2%82%AC'])('%s may be sent', (path) =>
    expect(unsafePath(path)).toBeUndefined(),
  );
  test.each([
    'goods',
    'http://other/',
    '//other/',
    '/../x',
    '/a/%2e%2e/x',
    '/a/%252e%252e/x',
    '/a?x',
    '/a#x',
    '/a\\b',
    '/a%5cb',
    '/a\nb',
    '/a%0ab',
    '/%zz',
  ])('%s may not', (path) => expect(unsafePath(path)).toEqual(expect.any(String)));
});

test.each([
  ['\\d+', '42', true],
  ['\\d+', 'a42', false],
  ['(?i)TEA', 'tea', true],
  ['\\A\\d+\\z', '42', true],
  ['\\A\\d+\\Z', '42a', false],
  ['a\\\\z', 'a\\z', true],
])('the pattern %s for %s: %s', (pattern, text, isMatch) => {
  const match = (one: string, flags: string): never => (new RegExp(one, flags).exec(text) as never) ?? (null as never);
  expect(wholeMatch({ regex: { match } as never })(pattern, text)).toBe(isMatch);
});

describe('contracts', () => {
  let folder = '';
  let server: Started;
  const states: unknown[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-contract-'));
    server = await startHttp((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        if (request.url === '/states') {
          states.push(JSON.parse(body));
          response.writeHead(body.includes('impossible') ? 500 : 200).end();
        } else if (request.url === '/api/login')
          response.writeHead(200, { 'content-type': 'application/json' }).end('{"token":"abcdefghijkl","user":"ada"}');
        else if (request.url?.startsWith('/api/goods/'))
          response
            .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
            .end(
              JSON.stringify({ id: Number(request.url.split('/').at(-1)?.split('?')[0]), name: 'tea', added: true }),
            );
        else response.writeHead(302, { location: '/api/goods/1' }).end();
      });
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  const write = (name: string, value: unknown): string => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };

  test('are written from what was requested, without secrets, and hold against the provider', async () => {
    await using unit = await session();
    for (const path of ['/goods/7?x=1', '/goods/7?x=1', '/goods/8'])
      await unit.call('AT_test_api_method', { http_method: 'get', test_url: `${server.url}/api${path}` });
    await unit.call('AT_test_api_method', {
      http_method: 'post',
      test_url: `${server.url}/api/login`,
      json: { user: 'ada', password: 'secret-word' },
    });
    const output_path = join(folder, 'new', 'web-goods.json');
    await unit.call('AT_write_contract', { output_path, consumer: 'web', provider: 'goods', base_path: '/api' });
    const text = readFileSync(output_path, 'utf8');
    expect(text).not.toContain('secret-word');
    expect(text).not.toContain('abcdefghijkl');
    const contract = JSON.parse(text) as { interactions: JsonObject[]; metadata: JsonObject };
    expect(contract.metadata).toEqual({ pactSpecification: { version: '2.0.0' } });
    expect(contract.interactions.map(({ description }) => description)).toEqual([
      'GET /goods/7?x=1 -> 200',
      'GET /goods/8 -> 200',
      'POST /login -> 200',
    ]);
    expect(contract.interactions[0]).toMatchObject({
      request: { method: 'GET', path: '/goods/7', query: 'x=1' },
      response: {
        status: 200,
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
        matchingRules: { '$.body': { match: 'type' } },
      },
    });
    await expect(
      unit.call('AT_verify_contract', { contract_path: output_path, base_url: `${server.url}/api/` }),
    ).resolves.toMatchObject({ ok: true });
    const only = join(folder, 'only.json');
    await unit.call('AT_write_contract', {
      output_path: only,
      consumer: 'web',
      provider: 'goods',
      filter: '^GET /api/goods/8$',
      body_rule: 'equality',
    });
    expect(JSON.parse(readFileSync(only, 'utf8'))).toMatchObject({ interactions: [{ response: { body: { id: 8 } } }] });
    expect(
      (JSON.parse(readFileSync(only, 'utf8')) as { interactions: { response: object }[] }).interactions[0]?.response,
    ).not.toHaveProperty('matchingRules');
  });

  test('that do not hold are told interaction by interaction', async () => {
    const interaction = (description: string, path: string, more: object = {}): object => ({
      description,
      request: { method: 'get', path },
      response: { status: 200, body: { id: 1 } },
      ...more,
    });
    const contract_path = write('broken.json', {
      consumer: { name: 'web' },
      provider: { name: 'goods' },
      interactions: [
        interaction('good', '/goods/1', { providerState: 'there is a good' }),
        interaction('another value', '/goods/2'),
        interaction('a redirect', '/moved'),
        interaction('outside', '/../admin'),
        interaction('an impossible state', '/goods/1', { providerState: 'impossible' }),
      ],
    });
    const error = await failureOf(
      call('AT_verify_contract', {
        contract_path,
        base_url: `${server.url}/api`,
        provider_states_url: `${server.url}/states`,
      }),
    );
    expect(error.facts).toMatchObject({ code: 'SVC84032', name: 'APIContractException' });
    expect(error.options.result).toMatchObject({
      ok: false,
      interactions: [
        { ok: true },
        { mismatches: ['$.body.id: expected 1, got 2'] },
        { mismatches: ['status: expected 200, got 302', '$.body: is missing'] },
        { mismatches: ['the path "/../admin" was not sent: it climbs out of its folder'] },
        { mismatches: ['the provider state "impossible" could not be set up: status 500'] },
      ],
    });
    expect(states).toEqual([
      { consumer: 'web', state: 'there is a good' },
      { consumer: 'web', state: 'impossible' },
    ]);
  });

  test('go on after a connection that fails, and hold nothing without interactions', async () => {
    const base = { consumer: { name: 'a' }, provider: { name: 'b' } };
    const one = { description: 'x', request: { method: 'GET', path: '/' }, response: { status: 200 } };
    const lost = await failureOf(
      call('AT_verify_contract', {
        contract_path: write('lost.json', { ...base, interactions: [one, { ...one, description: 'y' }] }),
        base_url: 'http://127.0.0.1:1',
      }),
    );
    expect((lost.options.result as { interactions: unknown[] }).interactions).toHaveLength(2);
    const contract_path = write('empty.json', { ...base, interactions: [] });
    const openapi_path = write('any.json', { openapi: '3.1.0', paths: {} });
    const lines = await Promise.all(
      [
        call('AT_verify_contract', { contract_path, base_url: server.url }),
        call('AT_check_contract_against_openapi', { contract_path, openapi_path }),
      ].map(failureOf),
    );
    for (const { message } of lines) expect(message).toContain('has no interactions: there is nothing to judge');
  });

  test('are compared with a specification', async () => {
    const openapi_path = write('openapi.json', {
      openapi: '3.1.0',
      servers: [{ url: '/api' }],
      paths: {
        '/goods/{id}': {
          get: {
            responses: {
              '2XX': {
                content: {
                  'application/json': {
                    schema: { required: ['id', 'price'], properties: { id: { type: 'integer' } } },
                  },
                },
              },
            },
          },
        },
      },
    });
    const contract_path = write('compared.json', {
      consumer: { name: 'a' },
      provider: { name: 'b' },
      interactions: [
        {
          description: 'fits',
          request: { method: 'GET', path: '/api/goods/1' },
          response: { status: 200, body: { id: 1, price: 2 } },
        },
        { description: 'no operation', request: { method: 'PUT', path: '/goods/1' }, response: { status: 200 } },
        {
          description: 'a query',
          request: { method: 'GET', path: '/goods/1', query: 'x=1' },
          response: { status: 404, body: {} },
        },
      ],
    });
    const error = await failureOf(call('AT_check_contract_against_openapi', { contract_path, openapi_path }));
    expect(error.options.result).toEqual({
      unfit: 3,
      report: expect.stringContaining('[FAIL] a query: status 404 is not declared'),
      ok: false,
      consumer: 'a',
      provider: 'b',
      checked: 3,
      problems: [
        { interaction: 'no operation', problem: 'the document has no operation PUT /goods/1' },
        { interaction: 'a query', problem: 'query parameter "x" is not declared' },
        { interaction: 'a query', problem: 'status 404 is not declared' },
      ],
    });
  });

  test('are read whole: all mistakes at once, each with its place', () => {
    expect(
      contractFindings({
        consumer: {},
        provider: { name: 'b' },
        interactions: [
          {
            description: 'x',
            request: { method: 'GET', path: 1 },
            response: { status: '200', matchingRules: { body: { match: 'type' }, '$.a': { match: 'regex' } } },
          },
          { description: 'x', request: { path: '/' }, response: { status: 200 } },
        ],
      }),
    ).toEqual([
      '/consumer/name is no text',
      '/interactions/0/request/path is no text',
      '/interactions/0/response/status is no whole number from 100 to 599',
      '/interactions/0/response/matchingRules/body is no path that begins with $',
      '/interactions/0/response/matchingRules/$.a/regex is no text',
      '/interactions/1/description is that of /interactions/0',
      '/interactions/1/request/method is no text',
    ]);
  });
});
