import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startApiServer } from '../api/api-server.ts';
import { startHttp, type Started } from '../api/servers.ts';
import { failureOf, session } from '../call.ts';
import type { Session } from '../call.ts';

interface Echo {
  readonly method: string;
  readonly query: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

let server: Started;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(async () => await server[Symbol.asyncDispose]());

async function echo(unit: Session, name: string, params: object): Promise<Echo> {
  const result = (await unit.call(name, { url: `${server.url}/echo`, ...params })) as { json: Echo };
  return result.json;
}

describe('requests of WR_http_*', () => {
  it('yield a summary, and leave the whole answer as last_response', async () => {
    await using unit = await session();
    const result = (await unit.call('WR_http_request', { method: 'gEt', url: `${server.url}/jobs/7` })) as object;
    expect(Object.keys(result).toSorted()).toEqual(['elapsed_ms', 'headers', 'json', 'status_code', 'text']);
    expect(result).toMatchObject({
      status_code: 200,
      json: { id: 7 },
      headers: { 'content-type': 'application/json' },
    });
    await unit.call('AT_extract_and_store', { path: 'request_url', name: 'asked' });
    expect(await unit.call('AT_get_variable', { name: 'asked' })).toBe(`${server.url}/jobs/7`);
  });

  it.each([
    [{ json_body: { a: 1 } }, 'application/json', '{"a":1}'],
    [{ json_body: { a: 1 }, data: 'raw' }, undefined, 'raw'],
    [{ data: { a: ['x y', 2], b: true } }, 'application/x-www-form-urlencoded', 'a=x+y&a=2&b=true'],
    [
      {
        data: [
          ['b', 1],
          ['a', 'ü'],
        ],
      },
      'application/x-www-form-urlencoded',
      'b=1&a=%C3%BC',
    ],
  ])('send %j', async (params, type, body) => {
    await using unit = await session();
    expect(await echo(unit, 'WR_http_post', params)).toMatchObject({
      method: 'POST',
      body,
      ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    });
  });

  it('send files as a form of several parts, with the fields beside them', async () => {
    const root = await mkdtemp(join(tmpdir(), 'svc-http-'));
    try {
      await writeFile(join(root, 'a "b".txt'), 'content of the file');
      await using unit = await session({ root });
      const { headers, body } = await echo(unit, 'WR_http_post', {
        data: { note: 'n' },
        request_kwargs: { files: { upload: join(root, 'a "b".txt') } },
      });
      const form = await new Response(body, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData();
      expect(form.get('note')).toBe('n');
      const file = form.get('upload') as File;
      expect([file.name, await file.text()]).toEqual(['a "b".txt', 'content of the file']);
      const missing = unit.call('WR_http_post', { url: server.url, request_kwargs: { files: { x: 'none.txt' } } });
      expect((await failureOf(missing)).facts.code).toBe('SVC85000');
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it('follow redirects unless told not to, and never take a login to another origin', async () => {
    const seen: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization, request.headers.cookie);
      response.end('{}');
    }).listen(0, '127.0.0.1');
    const first = createServer((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` }).end();
    }).listen(0, '127.0.0.1');
    await Promise.all([other, first].map((one) => new Promise((done) => one.once('listening', done))));
    const url = `http://127.0.0.1:${(first.address() as AddressInfo).port}/`;
    try {
      await using unit = await session();
      const login = { auth: ['ada', 'a-long-password'], cookies: { sid: 'a-long-cookie' } };
      expect(await unit.call('WR_http_get', { url, request_kwargs: login })).toMatchObject({ status_code: 200 });
      expect(seen).toEqual([undefined, undefined]);
      const stay = { allow_redirects: false };
      expect(await unit.call('WR_http_get', { url, request_kwargs: stay })).toMatchObject({ status_code: 302 });
      expect(JSON.stringify(unit.records)).not.toContain('a-long-password');
    } finally {
      first.close();
      other.close();
    }
  });
});

describe('assertions about the last response', () => {
  const code = async (work: Promise<unknown>): Promise<string> => (await failureOf(work)).facts.code;

  it('need one, and a request that failed leaves none', async () => {
    await using unit = await session();
    expect(await code(unit.call('WR_http_assert_status', { expected: 200 }))).toBe('SVC82060');
    await unit.call('WR_http_get', { url: `${server.url}/jobs/7` });
    await unit.call('WR_http_assert_status', { expected: 200 });
    await unit.step('WR_http_get', { url: 'http://127.0.0.1:1/' });
    expect(await code(unit.call('WR_http_assert_status', { expected: 200 }))).toBe('SVC82060');
    expect(await code(unit.call('WR_http_assert_json_contains', { key: 'id', expected: 7 }))).toBe('SVC82060');
  });

  it('take classes and lists of statuses, and show the beginning of another answer', async () => {
    await using unit = await session();
    const holds = (expected: unknown): Promise<unknown> => unit.call('WR_http_assert_status', { expected });
    await unit.call('WR_http_get', { url: `${server.url}/missing` });
    for (const expected of ['4xx', [200, 404], ['2xx', '4xx']]) await holds(expected);
    expect((await failureOf(holds(['2xx', 500]))).message).toMatch(
      /^The last response has status 404, not 2xx or 500: GET http.*\/missing was answered ".+"\.?$/,
    );
    for (const expected of ['6xx', '200', [], [99]]) expect(await code(holds(expected))).toMatch(/^SVC(60|80)/);
  });

  it('compare fields as a whole, by name or pointer, and name what is known', async () => {
    await using unit = await session();
    const holds = (key: string, expected: unknown): Promise<unknown> =>
      unit.call('WR_http_assert_json_contains', { key, expected });
    await unit.call('WR_http_post', { url: `${server.url}/echo`, json_body: {} });
    await holds('method', 'POST');
    await holds('/headers/content-type', 'application/json');
    expect(await code(holds('method', 'post'))).toBe('SVC82064');
    const missing = await failureOf(holds('metod', 'POST'));
    expect(missing.message).toMatch(/has no field "metod"\. Its fields: .*body.*headers.*method/);
    expect(await code(holds('/headers/none/0', null))).toBe('SVC82063');
    await unit.call('WR_http_get', { url: `${server.url}/bad-json` });
    expect((await failureOf(holds('a', 1))).message).toContain('no JSON');
  });
});

describe('a token that is not given out', () => {
  it.each([
    [400, 'SVC82084'],
    [401, 'SVC82084'],
    [428, 'SVC82084'],
    [429, 'SVC82085'],
    [430, 'SVC82084'],
    [499, 'SVC82084'],
    [500, 'SVC82085'],
    [503, 'SVC82085'],
  ])('with status %i is %s: told apart from what may be better later', async (status, code) => {
    await using refusing = await startHttp((_, response) => void response.writeHead(status).end('{"error":"why"}'));
    await using unit = await session();
    const asked = { token_url: refusing.url, client_id: 'a', client_secret: 'a-long-secret' };
    const failure = await failureOf(unit.call('WR_oauth_client_credentials', asked));
    expect(failure.facts.code).toBe(code);
    expect(failure.message).toContain('why');
  });
});
