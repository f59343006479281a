import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Failure } from '#schemas/types/failure.ts';

import { call, failureOf, session } from '../call.ts';
import type { Session } from '../call.ts';
import { startApiServer } from './api-server.ts';
import { startHttp, startRaw } from './servers.ts';
import type { Started } from './servers.ts';

type Answer = Record<string, unknown> & { json: Record<string, unknown>; headers: Record<string, string> };

let server: Started;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(async () => await server[Symbol.asyncDispose]());

async function get(unit: Session, path: string, more: Record<string, unknown> = {}): Promise<Answer> {
  return (await unit.call('AT_test_api_method', {
    http_method: 'get',
    test_url: server.url + path,
    ...more,
  })) as Answer;
}

async function echo(
  unit: Session,
  more: Record<string, unknown>,
): Promise<{ method: string; query: string; headers: Record<string, string>; body: string }> {
  return (await get(unit, '/echo', more)).json as never;
}

describe('the result', () => {
  test('is one flat object of the recorded fields', async () => {
    await using unit = await session();
    const result = await get(unit, '/jobs/7');
    expect(result).toMatchObject({
      status_code: 200,
      reason: 'OK',
      json: { id: 7, state: 'done' },
      text: '{"id":7,"state":"done"}',
      encoding: 'utf-8',
      cookies: {},
      history: [],
      headers: { 'content-type': 'application/json' },
      request_method: 'GET',
      request_url: `${server.url}/jobs/7`,
      request_body: null,
    });
    expect(Object.keys(result).sort()).toEqual(
      [
        'cookies',
        'elapsed',
        'elapsed_ms',
        'encoding',
        'headers',
        'history',
        'json',
        'reason',
        'request_body',
        'request_headers',
        'request_method',
        'request_time_sec',
        'request_url',
        'start_time',
        'status_code',
        'text',
        'timings_ms',
        'end_time',
      ].sort(),
    );
    expect(result['content']).toBe(Buffer.from('{"id":7,"state":"done"}').toString('base64'));
    expect(result['elapsed']).toBe((result['elapsed_ms'] as number) / 1000);
    expect(Date.parse(String(result['end_time']))).toBeGreaterThanOrEqual(Date.parse(String(result['start_time'])));
  });

  test('is the last response, also of a step that failed, and bodies are read as they say', async () => {
    await using unit = await session();
    await unit.step('AT_test_api_method', { http_method: 'get', test_url: `${server.url}/missing` });
    expect(await unit.call('AT_extract_and_store', { path: 'json.error', name: 'e' })).toBe('not found');
    expect(await unit.call('AT_extract_and_store', { path: 'headers.Content-Type', name: 'h' })).toBe(
      'application/json',
    );
    expect(await unit.call('AT_get_variable', { name: 'e' })).toBe('not found');
    expect(await get(unit, '/euro')).toMatchObject({ text: '€5', encoding: 'windows-1252' });
    expect(await get(unit, '/latin')).toMatchObject({ text: 'grüße', encoding: 'windows-1252', json: null });
    const picture = await get(unit, '/picture');
    expect(picture).toMatchObject({ text: '', encoding: null, json: null });
    expect(picture['content']).toBe('iVBORwD/');
    expect(await unit.call('AT_extract_and_store', { path: 'content', name: 'c' })).toBe('iVBORwD/');
  });

  test('broken and bottomless JSON is no json, and says why', async () => {
    await using unit = await session();
    const broken = await get(unit, '/bad-json');
    expect(broken.json).toBeNull();
    expect(broken['json_error']).toContain('JSON');
    expect((await get(unit, '/deep'))['json_error']).toBe('nested deeper than 512 levels');
  });

  test('redirects are followed on request, and history shows them', async () => {
    await using unit = await session();
    expect(await get(unit, '/from')).toMatchObject({ status_code: 302, json: null });
    expect(await get(unit, '/from', { allow_redirects: true })).toMatchObject({
      status_code: 200,
      request_url: `${server.url}/jobs/7`,
      history: [{ status_code: 302, request_url: `${server.url}/from` }],
    });
  });
});

describe('what is sent', () => {
  describe('with soap', () => {
    const envelope = (inner: string, version = 'http://schemas.xmlsoap.org/soap/envelope/'): string =>
      `<?xml version="1.0"?><!-- <Fault> --><s:Envelope xmlns:s="${version}"><s:Header/><s:Body>${inner}</s:Body></s:Envelope>`;
    const old = envelope(
      '<s:Fault><faultcode>s:Client</faultcode><faultstring>No such\n order.</faultstring></s:Fault>',
    );
    const current = envelope(
      '<s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code><s:Reason><s:Text xml:lang="en">Unknown</s:Text></s:Reason></s:Fault>',
      'http://www.w3.org/2003/05/soap-envelope',
    );
    const answering = async (text: string, params: object, status = 200): Promise<unknown> => {
      await using server = await startHttp((_, response) => response.writeHead(status).end(text));
      const request = { http_method: 'post', test_url: server.url, data: '<q/>', ...params };
      return await call('AT_test_api_method', request).catch((error: unknown) => error);
    };

    test.each([
      ['version 1.1', old, 'No such order'],
      ['version 1.2', current, 'Unknown'],
      ['a code alone', envelope('<s:Fault><faultcode>s:Server</faultcode></s:Fault>'), 's:Server'],
      ['nothing', envelope('<s:Fault/>'), 'without a reason'],
    ])('a fault of %s fails the step', async (_, text, reason) => {
      const error = await answering(text, { soap: true });
      expect(error).toMatchObject({ facts: { code: 'SVC83046', name: 'APIAssertException' } });
      expect(String((error as Error).message)).toContain(`the answer is a SOAP fault: ${reason}.`);
    });

    test.each([
      ['a fault that the step wants', old, { soap: true, result_check_dict: { status_code: 200 } }],
      ['a fault without soap', old, {}],
      ['an answer', envelope('<r><s:Fault/></r>'), { soap: true }],
      ['another format with such a name', '<Envelope><Body><Fault/></Body></Envelope>', { soap: true }],
      ['no XML', 'fine', { soap: true }],
    ])('%s passes', async (_, text, params) =>
      expect(await answering(text, params)).toMatchObject({ status_code: 200 }),
    );

    test('a status of 500 is told as such', async () =>
      expect(await answering(old, { soap: true }, 500)).toMatchObject({ facts: { code: 'SVC83002' } }));
  });

  test.each([
    [{ json: { a: [1, null, 'ü'] } }, 'application/json', '{"a":[1,null,"ü"]}'],
    [{ json: null }, 'application/json', 'null'],
    [
      { data: { a: 1, b: ['x y', 'z'], c: null, d: true } },
      'application/x-www-form-urlencoded',
      'a=1&b=x+y&b=z&d=true',
    ],
    [{ data: 'raw', json: { not: 'sent' } }, undefined, 'raw'],
    [{ data: '<e/>', soap: true }, 'application/soap+xml; charset=utf-8', '<e/>'],
    [{ data: '<e/>', soap: true, headers: { 'Content-Type': 'text/xml' } }, 'text/xml', '<e/>'],
    [{ json: {}, headers: { 'CONTENT-TYPE': 'application/vnd.api+json' } }, 'application/vnd.api+json', '{}'],
  ])('body of %j', async (params, type, body) => {
    await using unit = await session();
    const seen = await echo(unit, { http_method: 'POST', ...params });
    expect([seen.method, seen.headers['content-type'], seen.body]).toEqual(['POST', type, body]);
  });

  test.each([
    ['/echo', { a: 'x y', n: 1, t: true, none: null, list: ['1', 2] }, '?a=x+y&n=1&t=true&list=1&list=2'],
    ['/echo?q=1', { a: '2' }, '?q=1&a=2'],
    ['/echo', 'raw=%20x&y', '?raw=%20x&y'],
    ['/echo?q=1', '?z=1', '?q=1&z=1'],
    ['/echo', {}, ''],
  ])('query of %s with %j', async (path, params, query) => {
    await using unit = await session();
    expect((await get(unit, path, { params })).json['query']).toBe(query);
  });

  test('login by parameter or by address, never shown again', async () => {
    await using unit = await session();
    const basic = `Basic ${Buffer.from('ada:s3cr3t-word').toString('base64')}`;
    expect((await echo(unit, { auth: ['ada', 's3cr3t-word'] })).headers['authorization']).toBe(basic);
    const result = await unit.call('AT_test_api_method', {
      http_method: 'get',
      test_url: `${server.url.replace('//', '//ada:s3cr3t-word@')}/echo`,
    });
    expect(result).toMatchObject({
      json: { headers: { authorization: basic } },
      request_url: `${server.url}/echo`,
      request_headers: { authorization: '***' },
    });
    const written = JSON.stringify(unit.records) + JSON.stringify(unit.evidence);
    expect(written).not.toContain('s3cr3t-word');
    expect(written).not.toContain(basic.slice(6));
    expect(written).toContain('***');
    const odd = await unit.call('AT_test_api_method', {
      http_method: 'get',
      test_url: `${server.url.replace('//', '//ada:5%zz@')}/echo`,
    });
    const sent = `Basic ${Buffer.from('ada:5%zz').toString('base64')}`;
    expect(odd).toMatchObject({ json: { headers: { authorization: sent } } });
  });

  test('cookies and headers; those that cannot be sent are named before anything is', async () => {
    await using unit = await session();
    const { headers } = await echo(unit, { cookies: { a: '1', b: '2' }, headers: { 'X-One': 'grün' } });
    expect(headers['cookie']).toBe('a=1; b=2');
    expect(Buffer.from(headers['x-one'] ?? '', 'latin1').length).toBeGreaterThan(0);
    expect((await failureOf(echo(unit, { headers: { 'x y': '1' } }))).facts.code).toBe('SVC83027');
    const error = await failureOf(echo(unit, { headers: { 'x-y': 'a\r\nInjected: 1' } }));
    expect(error.message).toBe('The value of the header "x-y" holds "\\r", which a header cannot carry.');
    expect((await failureOf(echo(unit, { cookies: { a: 'b\n' } }))).facts.code).toBe('SVC83028');
  });

  test('cookies that open doors are hidden where a server sends them back', async () => {
    await using unit = await session();
    const given = { cookies: { sid: 'given-cookie-1' }, headers: { Cookie: 'lang=de; auth_token=given=cookie-2' } };
    const { headers } = await echo(unit, given);
    expect(headers['cookie']).toContain('given-cookie-1');
    const text = JSON.stringify(await unit.call('AT_generate_json'));
    expect(text).not.toMatch(/given-cookie-1|given=cookie-2/);
  });

  test('a session keeps its cookies, other requests do not have them; a new unit begins without', async () => {
    await using unit = await session();
    await get(unit, '/login', { http_method: 'session_post' });
    expect((await echo(unit, { http_method: 'SESSION_GET' })).headers['cookie']).toBe('sid=abcdef0123456789');
    expect((await echo(unit, {})).headers['cookie']).toBeUndefined();
    expect(JSON.stringify(unit.records)).not.toContain('abcdef0123456789');
    await using other = await session();
    expect((await echo(other, { http_method: 'session_get' })).headers['cookie']).toBeUndefined();
  });
});

describe('files and sockets', () => {
  test('files go as a form with the fields beside them; a missing one is named before anything is sent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-request-'));
    const path = join(folder, 'tö "x".bin');
    writeFileSync(path, Uint8Array.of(0, 255, 13, 10));
    await using unit = await session();
    const sent = { http_method: 'post', data: { a: 'x', b: ['1', '2'] }, json: { not: 'sent' } };
    const { headers, body } = await echo(unit, { ...sent, files: { upload: path } });
    const form = await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
    expect([form.get('a'), form.getAll('b')]).toEqual(['x', ['1', '2']]);
    expect(form.get('upload')).toMatchObject({ name: 'tö "x".bin', type: 'application/octet-stream' });
    const parts = [{ path, type: 'image/png', name: 'x"\r\n.png' }, { text: '{}', type: 'application/json' }, path];
    const said = await echo(unit, { ...sent, files: { one: { path, name: null }, more: parts } });
    expect(
      said.body
        .replaceAll(/--svc-[\w-]+/g, '--')
        .replaceAll(/\r\n\r\n.*?\r\n--/gs, '\r\n--')
        .split('\r\n'),
    ).toEqual([
      ...['a', 'b', 'b', 'one'].flatMap((name) => ['--', `Content-Disposition: form-data; name="${name}"`]),
      ...['--', 'Content-Disposition: form-data; name="more"; filename="x%22%0D%0A.png"', 'Content-Type: image/png'],
      ...['--', 'Content-Disposition: form-data; name="more"', 'Content-Type: application/json'],
      ...['--', 'Content-Disposition: form-data; name="more"; filename="tö %22x%22.bin"'],
      ...['Content-Type: application/octet-stream', '--', ''],
    ]);
    const missing = get(unit, '/echo', { ...sent, files: { upload: join(folder, 'none') } });
    expect((await failureOf(missing)).facts.code).toBe('SVC85000');
    rmSync(folder, { recursive: true });
  });

  test.skipIf(process.platform === 'win32')(
    'a Unix socket is asked in place of the host, and left by a redirect',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-socket-'));
      const socket = join(folder, 's');
      const local = createServer((request, response) => {
        if (request.url === '/away') response.writeHead(302, { location: `${server.url}/jobs/7` }).end();
        else response.end(request.headers.host);
      });
      await new Promise<void>((resolve) => local.listen(socket, resolve));
      await using unit = await session();
      const asked = { http_method: 'get', unix_socket: socket };
      expect(await unit.call('AT_test_api_method', { ...asked, test_url: 'http://engine/x' })).toMatchObject({
        text: 'engine',
      });
      const away = { ...asked, test_url: 'http://engine/away', allow_redirects: true };
      expect(await unit.call('AT_test_api_method', away)).toMatchObject({ json: { id: 7 } });
      await new Promise((resolve) => local.close(resolve));
      rmSync(folder, { recursive: true });
    },
  );
});

describe('addresses', () => {
  test('a relative one is resolved against base_url, as a link would be', async () => {
    await using unit = await session({ unit: { base_url: { lit: `${server.url}/jobs/` } } });
    expect(await unit.call('AT_test_api_method', { http_method: 'get', test_url: '7' })).toMatchObject({
      request_url: `${server.url}/jobs/7`,
    });
    expect(await unit.call('AT_test_api_method_httpx', { http_method: 'get', test_url: '/jobs/7' })).toMatchObject({
      status_code: 200,
    });
  });

  test.each([
    ['', 'SVC80029'],
    [' ', 'SVC83019'],
    ['/jobs', 'SVC83025'],
    ['http://', 'SVC83019'],
    ['http://a b/', 'SVC83019'],
    ['ftp://h/x', 'SVC83026'],
    ['localhost:80/x', 'SVC83026'],
  ])('%j is refused with %s', async (url, code) => {
    await using unit = await session();
    expect((await failureOf(unit.call('AT_test_api_method', { http_method: 'get', test_url: url }))).facts.code).toBe(
      code,
    );
  });
});

describe('judging', () => {
  test.each([
    ['/missing', 'SVC83001', 'real', []],
    ['/broken', 'SVC83002', 'real', ['http_5xx']],
    ['/busy', 'SVC83003', 'transient', ['http_5xx']],
    ['/limited', 'SVC83004', 'transient', []],
  ])('%s fails with %s', async (path, code, cls, kinds) => {
    await using unit = await session();
    const error = await failureOf(get(unit, path));
    expect(error.facts).toMatchObject({ code, class: cls, kinds });
    expect(error.message).toMatch(new RegExp(`^GET ${server.url}${path} answered \\d+ .+\\.$`));
    expect(error.options.result).toMatchObject({ request_url: server.url + path });
  });

  test('the status decides nothing where the step speaks of it', async () => {
    await using unit = await session();
    expect(await get(unit, '/missing', { result_check_dict: { status_code: 404 } })).toMatchObject({
      status_code: 404,
    });
    expect(
      await unit.call(
        'AT_test_api_method',
        { http_method: 'get', test_url: `${server.url}/busy` },
        { status_judged: true },
      ),
    ).toMatchObject({ status_code: 503 });
    expect((await failureOf(get(unit, '/missing', { result_check_dict: { text: 'x' } }))).facts.code).toBe('SVC83001');
  });

  test('every check that does not hold is named, with both sides', async () => {
    await using unit = await session();
    const checks = {
      status_code: 201,
      json: { state: 'done', id: 7 },
      text: 'x',
      encoding: 'utf-8',
      cookies: {},
      request_body: null,
    };
    const error = await failureOf(get(unit, '/jobs/7', { result_check_dict: checks }));
    expect(error.facts).toMatchObject({ code: 'SVC83023', name: 'APIAssertException', kinds: ['assertion'] });
    expect(error.message).toBe(`GET ${server.url}/jobs/7: 2 of 6 checks did not hold: status_code, text.`);
    expect(error.options).toMatchObject({
      expected: { status_code: 201, text: 'x' },
      actual: { status_code: 200, text: '{"id":7,"state":"done"}' },
    });
    const { text: _text, ...rest } = checks;
    const inside = { ...rest, json: { id: 7, state: 'new', 'a.b': [1] } };
    const deep = await failureOf(get(unit, '/jobs/7', { result_check_dict: inside }));
    expect(deep.message).toContain('status_code, json (2 places, the first at json.state)');
    expect(deep.options).toMatchObject({
      expected: { status_code: 201, 'json.state': 'new', 'json["a.b"]': [1] },
      actual: { status_code: 200, 'json.state': 'done' },
    });
    const part = await failureOf(get(unit, '/jobs/7', { result_check_dict: { status_code: 200, json: { id: 7 } } }));
    expect(part.facts.help).toMatch(/^`json` is compared as a whole, .* as `result\.json\.id == 7`\.$/);
    expect(deep.facts.help).toBeUndefined();
    const broken = await failureOf(get(unit, '/busy', { result_check_dict: { status_code: 200 } }));
    expect(broken.facts.kinds).toEqual(['assertion', 'http_5xx']);
  });

  test('a check of headers ignores the case of names; an unknown field is refused', async () => {
    await using unit = await session();
    const { headers } = await get(unit, '/jobs/7');
    const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(await get(unit, '/jobs/7', { result_check_dict: { headers: shouted } })).toMatchObject({ status_code: 200 });
    expect((await failureOf(get(unit, '/jobs/7', { result_check_dict: { status: 200 } }))).facts.code).toBe('SVC80029');
  });

  test('GraphQL errors fail the step unless they are allowed', async () => {
    await using unit = await session();
    const url = `${server.url}/graphql`;
    const result = (await unit.call('AT_test_api_method_graphql', {
      url,
      query: '{ job }',
      variables: { id: 7 },
      operation_name: 'Q',
      headers: { 'x-a': '1' },
    })) as Answer;
    expect(result.json['data']).toEqual({
      job: { state: 'done', got: { query: '{ job }', variables: { id: 7 }, operationName: 'Q' } },
    });
    const error = await failureOf(unit.call('AT_test_api_method_graphql', { url, query: '{ nothing }' }));
    expect(error.message).toBe(`POST ${url}: the answer holds 1 GraphQL errors; the first: no such field.`);
    expect(
      await unit.call('AT_test_api_method_graphql', { url, query: '{ nothing }', allow_errors: true }),
    ).toMatchObject({ status_code: 200 });
  });
});

describe('records, evidence and retries', () => {
  test('reports get the request and its answer, and what was asked where no answer came', async () => {
    await using unit = await session();
    await get(unit, '/from', { allow_redirects: true });
    expect(unit.evidence).toMatchObject([
      { kind: 'http', request: { method: 'GET', url: `${server.url}/from` }, response: { status: 302 } },
      {
        kind: 'http',
        request: { url: `${server.url}/jobs/7` },
        response: { status: 200, body: '{"id":7,"state":"done"}' },
      },
    ]);
    await unit.step('AT_test_api_method', { http_method: 'post', test_url: 'http://127.0.0.1:1/', data: 'hello' });
    expect(unit.evidence).toMatchObject([
      { kind: 'http', request: { method: 'POST', url: 'http://127.0.0.1:1/', body: 'hello' } },
    ]);
    expect(unit.evidence[0]).not.toHaveProperty('response');
  });

  test('the request log keeps what AT_assert_sla judges: failed requests too, passing ones unless told not to', async () => {
    await using unit = await session();
    const sla = (): Promise<unknown> => unit.call('AT_assert_sla', { sla: { max_ms: 60_000, p95_ms: 60_000 } });
    await get(unit, '/jobs/7', { record_request_info: false });
    expect((await failureOf(sla())).facts.code).toBe('SVC83051');
    await unit.step('AT_test_api_method', { http_method: 'get', test_url: 'relative' });
    expect((await failureOf(sla())).facts.code).toBe('SVC83051');
    await unit.step('AT_test_api_method', { http_method: 'get', test_url: 'http://127.0.0.1:1/' });
    await sla();
    // It cleared a record of older programs, never what is judged.
    await get(unit, '/jobs/7', { clean_record: true, record_request_info: false });
    await sla();
    await get(unit, '/jobs/7');
    const error = await failureOf(unit.call('AT_assert_sla', { sla: { max_ms: 0 } }));
    expect(error.options.actual).toMatchObject({ slowest: expect.stringMatching(/^GET http/) });
  });

  test('a cookie value with a semicolon is refused, since it would be several cookies', async () => {
    await using unit = await session();
    const sending = unit.call('AT_test_api_method', {
      http_method: 'get',
      test_url: server.url,
      cookies: { a: '1; admin=1' },
    });
    expect((await failureOf(sending)).facts.message).toContain('semicolon');
  });

  test('the time limit of the command and that of the step both hold', async () => {
    await using silent = await startRaw((socket) => socket.resume());
    await using unit = await session();
    const slow = { http_method: 'get', test_url: silent.url, timeout: 0.1 };
    expect((await failureOf(unit.call('AT_test_api_method', slow))).facts.code).toBe('SVC83005');
    const begun = performance.now();
    const ended = await unit.step('AT_test_api_method', { ...slow, timeout: 30 }, { timeout_s: 0.1 });
    expect(ended.failure).toBeInstanceOf(Failure);
    expect(ended.failure?.facts.code).toBe('SVC80002');
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  test('requests of one unit may overlap', async () => {
    await using unit = await session();
    const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => echo(unit, { params: { n: index } })));
    expect(answers.map(({ query }) => query)).toEqual(Array.from({ length: 25 }, (_, index) => `?n=${index}`));
  });
});
