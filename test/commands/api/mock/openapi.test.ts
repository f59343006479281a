import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Json, JsonObject } from '#schemas/types/json.ts';

import { failureOf, session } from '../../call.ts';
import type { Session } from '../../call.ts';
import { startHttp } from '../servers.ts';

const job = {
  type: 'object',
  required: ['id', 'state'],
  properties: { id: { type: 'integer' }, state: { enum: ['open', 'done'] }, note: { type: 'string', maxLength: 5 } },
};
const spec = {
  openapi: '3.1.0',
  components: {
    schemas: { Job: job },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      token: { type: 'http', scheme: 'bearer' },
      user: { type: 'http', scheme: 'basic' },
    },
  },
  paths: {
    '/jobs/{job-id}': {
      parameters: [{ name: 'job-id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        parameters: [{ name: 'full', in: 'query', schema: { type: 'boolean' } }],
        responses: {
          '404': { content: { 'application/json': { example: { gone: true } } } },
          '200': {
            headers: {
              'X-Left': { required: true, schema: { type: 'integer', minimum: 3 } },
              'X-Codes': { required: true, schema: { type: 'array', minItems: 2, items: { type: 'integer' } } },
              'X-Key': { required: true, example: 'none', schema: { type: 'string', pattern: '^[a-z]+(-[a-z]+)+$' } },
            },
            content: {
              'application/json': {
                schema: { $ref: '#/components/schemas/Job' },
                examples: { wrong: { value: { id: 'x' } }, second: { value: { id: 2, state: 'done' } } },
              },
            },
          },
        },
      },
      put: {
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Job' } } },
        },
        responses: {
          '204': {},
          '422': {
            content: {
              'application/json': {
                schema: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
              },
            },
          },
        },
      },
    },
    '/secret': {
      get: { security: [{ key: [] }], responses: { '200': { content: { 'text/plain': { example: 'psst' } } } } },
    },
    '/forms': {
      get: {
        responses: {
          '200': {
            headers: {
              'X-Next': { schema: { type: 'string' }, example: 'b' },
              'X-Silent': { schema: { type: 'string' } },
            },
            content: {
              'application/json': { example: ['a'] },
              'application/xml': { example: '<a/>' },
              'text/csv': { example: 'a' },
            },
          },
        },
      },
    },
    '/barred': {
      get: { security: [{ token: [] }, { user: [] }], responses: { '200': {} } },
    },
    '/given': { get: { responses: { '200': { content: { 'text/plain': { example: 'theirs' } } } } } },
    '/choosy': {
      get: {
        parameters: [{ name: 'count', in: 'query', schema: { type: 'integer' } }],
        responses: {
          '200': {},
          '400': { content: { 'application/json': { schema: { type: 'integer', minimum: 5, maximum: 4 } } } },
        },
      },
    },
    '/impossible': {
      get: {
        responses: {
          '200': { content: { 'application/json': { schema: { type: 'integer', minimum: 5, maximum: 4 } } } },
        },
      },
    },
  },
};

describe('a mock of an OpenAPI document with servers', () => {
  const found = (type: string, example: Json): JsonObject => ({
    responses: { '200': { content: { 'application/json': { schema: { type }, example } } } },
  });
  const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-z]+(/[a-z]+)*$' } }];
  const document: JsonObject = {
    openapi: '3.0.3',
    servers: [{ url: 'https://a.example/v1/' }, { url: '/{stage}', variables: { stage: { default: 'test' } } }],
    paths: {
      '/jobs/{id}': { get: { parameters: id, ...found('integer', 1) } },
      '/v1/own': { get: found('integer', 2) },
      '/own': { servers: [{ url: '/other' }], get: found('integer', 3) },
      '/jobs#a': { get: found('integer', 4) },
      '/jobs#b': { get: { ...found('integer', 5), parameters: [{ name: 'b', in: 'query', required: true }] } },
    },
  };
  test('answers below their paths as well, and takes encoded slashes for a part of their segment', async () => {
    const unit = await session();
    const { url } = (await unit.call('AT_start_mock_server')) as { url: string };
    const rules = (await unit.call('AT_mock_load_openapi', { spec: document })) as JsonObject;
    expect([rules['GET /jobs/{id}'], rules['GET /jobs#b']]).toEqual(['/jobs/<p1>', '/jobs']);
    const get = async (path: string): Promise<string> => {
      const answer = await fetch(`${url}${path}`);
      return `${answer.status} ${answer.status === 200 ? await answer.text() : ''}`.trim();
    };
    for (const [path, expected] of [
      ['/jobs/a', '200 1'],
      ['/v1/jobs/a', '200 1'],
      ['/test/jobs/a', '200 1'],
      ['/none/jobs/a', '404'],
      ['/other/jobs/a', '404'],
      ['/jobs/a%2Fb', '200 1'],
      ['/v1/jobs/a%2fb', '200 1'],
      ['/v1/jobs/a%2F9', '400'],
      ['/jobs/a/b', '404'],
      ['/v1/own', '200 2'],
      ['/other/own', '200 3'],
      ['/v1/jobs?b=1', '200 5'],
    ])
      expect([path, await get(path ?? '')]).toEqual([path, expected]);
    await unit.end();
  });
});

describe('a mock of an OpenAPI document', () => {
  let unit: Session;
  let url = '';
  beforeAll(async () => {
    unit = await session();
    ({ url } = (await unit.call('AT_start_mock_server')) as { url: string });
    await unit.call('AT_mock_add_template_route', { rule: '/jobs/{id}', methods: ['DELETE'], body_template: 'mine' });
    expect(await unit.call('AT_mock_load_openapi', { spec })).toEqual({
      'GET /jobs/{job-id}': '/jobs/<p1>',
      'PUT /jobs/{job-id}': '/jobs/<p1>',
      'GET /secret': '/secret',
      'GET /forms': '/forms',
      'GET /barred': '/barred',
      'GET /given': '/given',
      'GET /choosy': '/choosy',
      'GET /impossible': '/impossible',
    });
  });
  afterAll(() => unit.end());

  const send = async (
    path: string,
    init: RequestInit = {},
  ): Promise<{ status: number; body: string; headers: Headers }> => {
    const answer = await fetch(`${url}${path}`, init);
    return { status: answer.status, body: await answer.text(), headers: answer.headers };
  };
  const put = (
    body: unknown,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): ReturnType<typeof send> =>
    send('/jobs/1', { method: 'PUT', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });

  test('answers the lowest success with what fits its schema, and the headers that must be there', async () => {
    const answer = await send('/jobs/7?full=true');
    expect(answer.headers.get('x-codes')).toBe('1,1');
    expect(answer.headers.get('x-key')).toMatch(/^[a-z]+(-[a-z]+)+$/);
    expect([answer.status, JSON.parse(answer.body), answer.headers.get('x-left')]).toEqual([
      200,
      { id: 1, state: 'open', note: expect.stringMatching(/^.{5}$/) },
      '3',
    ]);
    expect(await send('/jobs/7', { headers: { prefer: 'example=second' } })).toMatchObject({
      body: '{"id":2,"state":"done"}',
    });
    expect(await send('/jobs/7', { headers: { prefer: 'code=404' } })).toMatchObject({
      status: 404,
      body: '{"gone":true}',
    });
  });

  test.each([
    ['*/*', 'application/json'],
    ['application/xml', 'application/xml'],
    ['text/csv;q=0.5, application/xml;q=0.1', 'text/csv'],
    ['text/*, application/json;q=0.9', 'text/csv'],
    ['*/*;q=0.1, application/json;q=0', 'application/xml'],
  ])('answers "Accept: %s" with %s, and headers of which the document says a value', async (accept, type) => {
    const { status, headers } = await send('/forms', { headers: { accept } });
    expect([status, headers.get('content-type'), headers.get('x-next'), headers.get('x-silent')]).toEqual([
      200,
      type,
      'b',
      null,
    ]);
  });

  test('says that it has nothing which a client accepts', async () => {
    const answer = await send('/forms', { headers: { accept: 'image/png' } });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      406,
      expect.objectContaining({ status: 406, problems: ['Accept: image/png'] }),
    ]);
    // A problem report is JSON, whatever its name.
    const problem = { prefer: 'code=404', accept: 'application/json' };
    expect(await send('/jobs/7', { headers: problem })).toMatchObject({ status: 404 });
  });

  test.each([
    ['/jobs/seven', '"seven" is no integer'],
    ['/jobs/7?full=yes', '"yes" is no boolean'],
    ['/jobs/7?deep=1', '"deep" is not declared'],
  ])('refuses %s', async (path, words) => {
    const answer = await send(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
    expect(answer.body).toContain(JSON.stringify(words).slice(1, -1));
    const received = (await unit.call('AT_mock_received', { path: path.split('?')[0] })) as { error?: string }[];
    expect(received.at(-1)?.error).toContain(words);
  });

  test('refuses in words of its own where the declared answer cannot be made', async () => {
    const answer = await send('/choosy?count=x');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
    expect(answer.body).toContain('is no integer');
    expect(await send('/choosy?count=1')).toMatchObject({ status: 200 });
  });

  test('refuses bodies in the form that the document declares', async () => {
    expect(await put({ id: 1, state: 'open' })).toMatchObject({ status: 204 });
    for (const answer of [await put({ id: 1 }), await put('id=1', { 'content-type': 'text/plain' }), await put('')]) {
      expect(answer.status).toBe(422);
      expect(JSON.parse(answer.body)).toEqual({ message: expect.any(String) });
    }
  });

  test('never answers what its OpenAPI document forbids, unless a route of yours says so', async () => {
    // The only example breaks the pattern of its schema, and nothing was found that fits it.
    expect(await send('/impossible')).toMatchObject({ status: 500 });
    const [log] = ((await unit.call('AT_mock_received', { path: '/impossible' })) as { error?: string }[]).slice(-1);
    expect(log?.error).toContain('no value was found that fits the schema of status 200');
    // Neither a status nor an example that the document does not declare is answered on a client's wish.
    expect((await send('/jobs/7', { headers: { prefer: 'code=418' } })).body).toContain(
      'declares no answer with status 418',
    );
    expect(await send('/jobs/7', { headers: { prefer: 'example=none' } })).toMatchObject({ status: 200 });
    const own = { rule: '/impossible', body_template: { what: 'ever' }, status: 418 };
    await unit.call('AT_mock_add_template_route', own);
    expect(await send('/impossible')).toMatchObject({ status: 418, body: '{"what":"ever"}' });
  });

  test('asks for the login', async () => {
    expect((await send('/secret')).status).toBe(401);
    const barred = await send('/barred');
    expect([barred.status, barred.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="mock", Basic realm="mock"',
    ]);
    expect(await send('/secret', { headers: { 'x-key': 'k' } })).toMatchObject({ status: 200, body: 'psst' });
    expect(await send('/jobs/7', { headers: { prefer: 'code=500' } })).toMatchObject({ status: 500 });
  });

  test('gives way to routes of yours, before and after', async () => {
    expect(await send('/jobs/7', { method: 'DELETE' })).toMatchObject({ body: 'mine' });
    await unit.call('AT_mock_add_template_route', { rule: '/given', body_template: 'open' });
    expect(await send('/given')).toMatchObject({ body: 'open' });
    const again = await failureOf(unit.call('AT_mock_add_template_route', { rule: '/given', body_template: 'twice' }));
    expect(again.facts.code).toBe('SVC83082');
  });
});

test('an operation without declared answers has status 200 and an empty text', async () => {
  await using unit = await session();
  await unit.call('AT_mock_load_openapi', {
    spec: { openapi: '3.1.0', paths: { '/bare': { get: {}, post: { responses: {} } } } },
  });
  const { url } = (await unit.call('AT_start_mock_server')) as { url: string };
  for (const method of ['GET', 'POST']) {
    const answer = await fetch(`${url}/bare`, { method });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  }
  expect((await fetch(`${url}/bare`, { headers: { prefer: 'code=404' } })).status).toBe(500);
});

describe('a recording proxy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-proxy-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('forwards, records, replays, and answers without the real server', async () => {
    const seen: string[] = [];
    const tape = join(folder, 'tape.json');
    let base = '';
    {
      await using real = await startHttp((request, response) => {
        seen.push(`${request.method} ${request.url} ${request.headers.host} ${String(request.headers['x-mine'])}`);
        response.setHeader('set-cookie', 'sid=abcdefgh');
        response.setHeader('x-count', seen.length);
        if (request.url?.includes('bytes')) response.end(Buffer.from([0xff, 0, 1]));
        else if (request.url?.includes('moved')) response.writeHead(302, { location: '/x' }).end();
        else request.pipe(response.writeHead(201));
      });
      base = real.url;
      await using unit = await session({ root: folder });
      const { url } = (await unit.call('AT_start_mock_server')) as { url: string };
      await unit.call('AT_mock_add_proxy', { upstream_base: `${base}/api/`, cassette_path: tape });
      const get = (path: string, init: RequestInit = {}): Promise<Response> =>
        fetch(`${url}/proxy/${path}`, { headers: { 'x-mine': '1' }, redirect: 'manual', ...init });
      for (let count = 0; count < 2; count++) {
        const answer = await get('a%20b?q=1&q=2', { method: 'POST', body: 'text' });
        expect([answer.status, await answer.text(), answer.headers.get('x-count')]).toEqual([201, 'text', '1']);
      }
      expect(seen).toEqual([`POST /api/a%20b?q=1&q=2 127.0.0.1:${real.port} 1`]);
      expect(new Uint8Array(await (await get('bytes')).arrayBuffer())).toEqual(Uint8Array.of(0xff, 0, 1));
      expect(new Uint8Array(await (await get('bytes')).arrayBuffer())).toEqual(Uint8Array.of(0xff, 0, 1));
      expect((await get('moved')).status).toBe(302);
      await Promise.all(Array.from({ length: 10 }, (_, index) => get(`many?n=${index}`)));
      expect((await get('%2e%2e%2fsecret')).status).toBe(400);
      expect((await get('a%2Fb/%C3%BC%3f?q=%2F')).status).toBe(201);
      expect(seen.at(-1)).toContain(' /api/a%2Fb/%C3%BC%3F?q=%2F ');
      expect(seen).toHaveLength(14);
    }
    const kept = JSON.parse(readFileSync(tape, 'utf8')) as { response_headers: Record<string, string> }[];
    expect([kept.length, kept[0]?.response_headers['set-cookie']]).toEqual([14, '***']);

    await using unit = await session({ root: folder });
    const { url } = (await unit.call('AT_start_mock_server')) as { url: string };
    await unit.call('AT_mock_add_proxy', { upstream_base: `${base}/api`, cassette_path: tape, replay_only: true });
    expect(await (await fetch(`${url}/proxy/a%20b?q=1&q=2`, { method: 'POST', body: 'text' })).text()).toBe('text');
    const none = await fetch(`${url}/proxy/other`);
    expect([none.status, await none.json()]).toEqual([404, { error: 'no cassette entry' }]);
    await unit.call('AT_mock_add_proxy', {
      upstream_base: base,
      cassette_path: tape,
      route: '/live/<path:upstream_path>',
    });
    expect((await fetch(`${url}/live/x`)).status).toBe(502);
  });

  test('tells bodies apart that are no text, and passes on each cookie', async () => {
    await using real = await startHttp((request, response) => {
      response.setHeader('set-cookie', [
        'sid=abcdefgh; Path=/; HttpOnly',
        'seen=1; Expires=Wed, 01 Jan 2070 00:00:00 GMT',
      ]);
      request.pipe(response);
    });
    await using unit = await session({ root: folder });
    const { url } = (await unit.call('AT_start_mock_server')) as { url: string };
    await unit.call('AT_mock_add_proxy', { upstream_base: real.url, cassette_path: join(folder, 'bytes.json') });
    for (const bytes of [Uint8Array.of(0, 255, 254), Uint8Array.of(0, 255, 253), Uint8Array.of(0, 255, 254)]) {
      const answer = await fetch(`${url}/proxy/echo`, { method: 'POST', body: bytes });
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
    }
    expect((await fetch(`${url}/proxy/cookies`)).headers.getSetCookie()).toEqual([
      'sid=abcdefgh; Path=/; HttpOnly',
      'seen=1; Expires=Wed, 01 Jan 2070 00:00:00 GMT',
    ]);
    const kept = readFileSync(join(folder, 'bytes.json'), 'utf8');
    expect((JSON.parse(kept) as { request_body: string }[]).map((entry) => entry.request_body)).toEqual([
      'data:;base64,AP/+',
      'data:;base64,AP/9',
      '',
    ]);
    expect(kept).not.toContain('abcdefgh');
  });
});

test('operations that only a fragment in their paths tells apart share a route, and the one that takes a request answers', async () => {
  await using unit = await session();
  const put = (name: string): object => {
    const schema = { type: 'object', required: [name], properties: { [name]: { const: name } } };
    const content = { 'application/json': { schema } };
    return { put: { requestBody: { required: true, content }, responses: { 200: { content } } } };
  };
  const rules = await unit.call('AT_mock_load_openapi', {
    spec: {
      openapi: '3.1.0',
      paths: { '/files/{id}': put('name'), '/files/{id}#link': put('link'), '/pages/{name}{ending}': put('page') },
    },
  });
  expect(rules).toEqual({
    'PUT /files/{id}': '/files/<p1>',
    'PUT /files/{id}#link': '/files/<p1>',
    'PUT /pages/{name}{ending}': '/pages/<p1>',
  });
  const { url } = (await unit.call('AT_start_mock_server')) as { url: string };
  const send = async (body: object): Promise<readonly unknown[]> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/files/7`, { method: 'PUT', body: JSON.stringify(body), headers });
    return [answer.status, await answer.json()];
  };
  expect(await send({ name: 'name' })).toEqual([200, { name: 'name' }]);
  expect(await send({ link: 'link' })).toEqual([200, { link: 'link' }]);
  expect((await send({}))[0]).toBe(400);
});
