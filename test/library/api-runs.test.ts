import { mkdtempSync, rmSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import * as svc from '#compiler/library/api.ts';

let server: Server;
let url = '';
let folder = '';
let served = 0;
const hosts: (string | undefined)[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-runs-'));
  server = createServer((request, response) => {
    served += 1;
    hosts.push(request.headers.host);
    if (request.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: one\n\nid: 7\ndata: two\n\ndata: three\n\n');
      return;
    }
    if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': 9 }).write('four');
      setTimeout(() => request.socket.destroy(), 20);
      return;
    }
    if (request.url === '/packed') return void response.writeHead(201, { 'content-encoding': 'gzip' }).end('no gzip');
    if (request.url === '/silent') return;
    if (request.url === '/garbage') return void request.socket.end('what is this\r\n\r\n');
    const status = request.url === '/down' ? 503 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"up":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const identity = { source: 'api', phase: 'functional', engine: 'test' } as const;
const wrong = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing went wrong',
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe('a run context', () => {
  it('keeps the records of requests that are made within it, each run its own', async () => {
    const [one, other] = [new svc.RunContext(identity), new svc.RunContext({ ...identity, worker_id: 'w1' })];
    expect(svc.get_run_context()).toBeNull();
    await Promise.all([
      svc.use_run_context(one, async () => {
        expect(svc.get_run_context()).toBe(one);
        await svc.test_api_method_httpx_async('get', `${url}/a`, { result_check_dict: { status_code: 200 } });
        await svc.test_api_method_httpx_async('get', `${url}/a`, { record_request_info: false });
        const checks = { status_code: 200, json: { up: true, more: 1 }, encoding: 'x' };
        const failed = svc.test_api_method_httpx_async('get', `${url}/b`, { result_check_dict: checks });
        expect(await wrong(failed)).toMatch(/^APIAssertException/);
        await svc.use_run_context(other, () => svc.test_api_method_graphql_async(`${url}/q`, '{ a }'));
        await wrong(svc.test_api_method_httpx_async('get', 'http://127.0.0.1:1/'));
      }),
    ]);
    expect(svc.get_run_context()).toBeNull();
    expect(svc.snapshot(other)).toMatchObject([{ protocol: 'graphql', worker_id: 'w1', outcome: 'passed' }]);
    expect(svc.snapshot(one)).toMatchObject([
      {
        schema_version: 1,
        request_method: 'GET',
        request_url: `${url}/a`,
        name: `GET ${url}/a`,
        status_code: 200,
        response_length: 11,
        outcome: 'passed',
        error: null,
        assertions: [{ type: 'status_code', passed: true }],
      },
      {
        status_code: 200,
        outcome: 'failed',
        error: { kind: 'assertion' },
        assertions: [
          { type: 'status_code', passed: true },
          { type: 'json', passed: false },
        ],
      },
      { status_code: null, response_length: null, outcome: 'failed', error: { kind: 'connection' }, assertions: [] },
    ]);
    for (const record of svc.snapshot(one)) expect(await svc.validate_request_record(record)).toEqual(record);
    expect(JSON.parse(svc.to_json(one))).toEqual(svc.snapshot(one));
    svc.snapshot(one).pop();
    expect(svc.snapshot(one)).toHaveLength(3);
    expect(svc.use_run_context(one, () => svc.render_badge())).toEqual({
      schemaVersion: 1,
      label: 'tests',
      message: '1/3 passing',
      color: 'red',
    });
    expect(svc.render_badge()).toMatchObject({ message: 'no data', color: 'yellow' });
    expect(svc.build_pr_comment_body({ title: 'a < b', context: one })).toMatch(
      /^<details>\n<summary>a &lt; b<[^]*\*\*Failures:\*\* 2/,
    );
    expect(svc.render_terminal_summary({ context: one })).toMatch(/1 passed[^]*2 failed[^]*GET http/);
    expect(await svc.use_run_context(one, () => svc.collect_records())).toHaveLength(1);
    expect(await svc.use_run_context(one, () => svc.build_openapi({ report_paths: null }))).toMatchObject({
      paths: { '/a': { get: { responses: { 200: {} } } } },
    });
  });

  it.each<[string, string, object, object]>([
    [
      'a status of 400 and above',
      '/down',
      {},
      { status_code: 503, response_length: 11, error: { kind: 'http_status' } },
    ],
    [
      'a status that a check refuses',
      '/down',
      { result_check_dict: { status_code: 200, reason: 'x' } },
      { status_code: 503, error: { kind: 'assertion' }, assertions: [{ type: 'status_code', passed: false }] },
    ],
    ['no answer in time', '/silent', { timeout: 0.1 }, { error: { kind: 'timeout' } }],
    ['nobody there', 'http://127.0.0.1:1/', {}, { error: { kind: 'connection' } }],
    ['an unknown host', 'http://no-such-host.invalid/', {}, { error: { kind: 'connection' } }],
    ['TLS asked of a plain port', 'https', {}, { error: { kind: 'tls' } }],
    ['no HTTP', '/garbage', {}, { error: { kind: 'transport' } }],
    ['a body that is cut', '/cut', {}, { status_code: 200, response_length: 4, error: { kind: 'transport' } }],
    [
      'a body that no packing has',
      '/packed',
      {},
      { status_code: 201, response_length: 7, error: { kind: 'transport' } },
    ],
  ])('has every field of a failed request: %s', async (_, path, given, found) => {
    const context = new svc.RunContext({ ...identity, run_id: 'run', worker_id: 'w' });
    const address = path === 'https' ? url.replace('http', 'https') : URL.canParse(path) ? path : url + path;
    await wrong(svc.use_run_context(context, () => svc.test_api_method_httpx_async('get', address, given)));
    const [record, ...others] = svc.snapshot(context);
    expect(others).toEqual([]);
    expect(record).toEqual({
      schema_version: 1,
      record_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      run_id: 'run',
      source: 'api',
      phase: 'functional',
      engine: 'test',
      worker_id: 'w',
      scenario_id: null,
      step_id: expect.any(String),
      protocol: 'http',
      request_method: 'GET',
      request_url: new URL(address).href,
      name: `GET ${new URL(address).href}`,
      status_code: null,
      start_time: expect.any(Number),
      end_time: expect.any(Number),
      response_time_ms: expect.any(Number),
      response_length: 'status_code' in found ? 11 : null,
      outcome: 'failed',
      assertions: [],
      extensions: {},
      ...found,
      error: { ...(found as { error: object }).error, message: expect.stringMatching(/./) },
      ...('assertions' in found && {
        assertions: [expect.objectContaining({ passed: false, message: expect.stringMatching(/./) })],
      }),
    });
    const { start_time: start, end_time: end, response_time_ms: ms } = record ?? {};
    expect(Number(end) - Number(start)).toBeCloseTo(Number(ms) / 1000, 5);
  });

  it('refuses what cannot be sent without a record of this kind', async () => {
    const context = new svc.RunContext(identity);
    const calls: readonly (readonly [string, string, object])[] = [
      ['fetch', url, {}],
      ['get', 'relative', {}],
      ['get', url, { headers: { 'a b': 'c' } }],
      ['get', url, { nonsense: 1 }],
    ];
    for (const [method, address, more] of calls)
      await wrong(svc.use_run_context(context, () => svc.test_api_method_httpx_async(method as 'get', address, more)));
    expect(svc.snapshot(context)).toEqual([]);
  });

  it('takes the same record once, and none of another run', async () => {
    const context = new svc.RunContext({ ...identity, run_id: 'r1' });
    const record = await svc.capture(context, { request_method: 'GET', request_url: 'http://x/' });
    expect(await svc.append(context, record)).toBe(false);
    expect(await svc.append(context, { ...record, record_id: 'two' })).toBe(true);
    expect(await wrong(svc.append(context, { ...record, status_code: 1 }))).toBe(
      'RequestRecordError: record_id: is that of a record with other content',
    );
    expect(await wrong(svc.append(context, { ...record, run_id: 'r2' }))).toMatch(/^RequestRecordError: run_id:/);
    expect(await wrong(svc.capture(context, { request_method: 'GET', request_url: 'x', engine: 'y' }))).toMatch(
      /^RequestRecordError: engine: contradicts/,
    );
    expect(() => new svc.RunContext({ ...identity, source: 'x' as 'api' })).toThrow(/^source: /);
    expect(() => new svc.RunContext({ ...identity, worker_id: 5 as never })).toThrow(/^worker_id: is no text/);
    expect(() => new svc.RunContext({ ...identity, worker: 'w' } as never)).toThrow(/^worker: is no field/);
  });

  it('reads the schema of records once', async () => {
    const context = new svc.RunContext(identity);
    const fields = { request_method: 'GET', request_url: 'http://x/' };
    await svc.capture(context, fields);
    const compile = vi.spyOn(Ajv2020.prototype, 'compile');
    await Promise.all(Array.from({ length: 50 }, () => svc.capture(context, fields)));
    expect(compile).not.toHaveBeenCalled();
    compile.mockRestore();
    expect(svc.snapshot(context)).toHaveLength(51);
    expect(await wrong(svc.capture(context, { ...fields, status_code: 'x' }))).toMatch(
      /^RequestRecordError: status_code/,
    );
  });

  it('takes over what older reports hold', async () => {
    const context = new svc.RunContext(identity);
    const success = {
      request_method: 'GET',
      request_url: 'http://x/',
      status_code: 200,
      elapsed: 0.25,
      start_time: '2026-01-01T00:00:00Z',
      end_time: '2026-01-01T00:00:01Z',
      content: 'YWI=',
      text: 'ab',
      headers: { Authorization: 'secret', Accept: 'a' },
    };
    expect(await svc.from_legacy_record(success, context)).toMatchObject({
      response_time_ms: 250,
      response_length: 2,
      start_time: 1_767_225_600,
      outcome: 'passed',
    });
    expect(svc.to_json(context)).not.toContain('"headers"');
    expect(await svc.from_legacy_record(success, context, { capture_payload: true })).toMatchObject({
      headers: { Authorization: '[REDACTED]', Accept: 'a' },
      content_base64: 'YWI=',
    });
    expect(
      await svc.from_legacy_record([{ http_method: 'session_post', test_url: 'http://x/' }, 'lost'], context),
    ).toMatchObject({ request_method: 'POST', status_code: null, error: { kind: 'request', message: 'lost' } });
    expect(await wrong(svc.from_legacy_record(['x'], context))).toMatch(/^RequestRecordError/);
  });

  it('takes records of saved reports, whose values are text', async () => {
    const context = new svc.RunContext(identity);
    const request = { request_method: 'POST', request_url: 'http://x/?a=1' };
    const success = { ...request, status_code: '201', elapsed: '0.25', content: 'grün', headers: 'None' };
    expect(await svc.from_legacy_record(success, context, { capture_payload: true })).toMatchObject({
      status_code: 201,
      response_time_ms: 250,
      response_length: 5,
      content_base64: 'Z3LDvG4=',
      outcome: 'passed',
    });
    const call = { http_method: 'session_post', test_url: 'http://x/', soap: 'None', error: 'POST answered 500' };
    expect(
      await svc.from_legacy_record({ ...call, ...request, status_code: '500', elapsed_ms: '12.5' }, context),
    ).toMatchObject({
      ...request,
      status_code: 500,
      response_time_ms: 12.5,
      outcome: 'failed',
      error: { kind: 'request', message: 'POST answered 500' },
    });
  });
});

describe('a request record', () => {
  it.each<[string, object, RegExp]>([
    ['a field that nobody knows', { more: 1 }, /^RequestRecordError: .*more/],
    ['a passed request with an error', { error: { kind: 'x', message: 'y' } }, /^RequestRecordError: error/],
    ['a failed one without', { outcome: 'failed' }, /^RequestRecordError: error/],
    [
      'a failed assertion without a message',
      { outcome: 'failed', error: { kind: 'a', message: 'b' }, assertions: [{ type: 'x', passed: false }] },
      /^RequestRecordError: assertions\[0\]/,
    ],
    ['a method in small letters', { request_method: 'get' }, /^RequestRecordError: request_method/],
    ['a time that is no number', { start_time: Number.NaN }, /^RequestRecordError: start_time: is NaN/],
    ['an end before the start', { start_time: 2, end_time: 1 }, /^RequestRecordError: end_time/],
    ['negative milliseconds', { response_time_ms: -1 }, /^RequestRecordError: response_time_ms/],
    ['a function', { extensions: { a: () => 1 } }, /^RequestRecordError: extensions.a: is of type function/],
    ['keys that are not text', { extensions: new Map([[1, 2]]) }, /^RequestRecordError: extensions: has keys/],
  ])('%s is refused', async (_, change, message) => {
    const good = await svc.capture(new svc.RunContext(identity), { request_method: 'GET', request_url: 'http://x/' });
    expect(await wrong(svc.validate_request_record({ ...good, ...change }))).toMatch(message);
  });

  it('is copied into plain JSON', async () => {
    const extensions: Record<string, unknown> = { at: new Date(1500), bytes: Uint8Array.of(1, 2) };
    const context = new svc.RunContext(identity);
    const record = await svc.capture(context, { request_method: 'GET', request_url: 'http://x/', extensions });
    extensions['at'] = 1;
    expect(record.extensions).toEqual({ at: 1.5, bytes: { encoding: 'base64', data: 'AQI=' } });
    expect(JSON.parse(await svc.serialize_request_record(record))).toEqual(record);
    const circle: Record<string, unknown> = { ...record };
    circle['extensions'] = { a: circle };
    expect(await wrong(svc.validate_request_record(circle))).toMatch(/extensions.a: holds itself/);
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 20_000; level += 1) deep = { deep };
    expect(await wrong(svc.validate_request_record({ ...record, extensions: deep }))).toBe(
      'RequestRecordError: the record: nests deeper than 500 levels',
    );
    expect(await svc.request_record_schema()).toMatchObject({ title: 'Request record, version 1' });
  });
});

describe('calls', () => {
  it('go to the addresses that are listed, in their own chain alone', async () => {
    const port = new URL(url).port;
    hosts.length = 0;
    const answer = await svc.dns_override({ 'shop.test': '127.0.0.1' }, () =>
      svc.test_api_method_httpx_async('get', `http://Shop.test:${port}/`),
    );
    expect(answer.response_data).toMatchObject({ status_code: 200, json: { up: true } });
    expect(hosts).toEqual([`shop.test:${port}`]);
    expect(await wrong(svc.test_api_method_httpx_async('get', `http://shop.test:${port}/`))).not.toBe(
      'nothing went wrong',
    );
    const shop = `http://shop.test:${port}`;
    const taken = { description: 'a', request: { method: 'GET', path: '/' }, response: { status: 200 } };
    await svc.dns_override({ 'shop.test': '127.0.0.1' }, async () => {
      expect(await svc.call('AT_test_api_method', { http_method: 'get', test_url: shop })).toMatchObject({
        status_code: 200,
      });
      expect(await svc.verify_interaction(taken, { base_url: shop })).toEqual({
        description: 'a',
        ok: true,
        mismatches: [],
      });
    });
  });

  it('verify one interaction, with its state', async () => {
    const states: string[] = [];
    const asked = {
      description: 'a',
      providerState: 'it is there',
      request: { method: 'GET', path: '/' },
      response: { status: 404 },
    };
    const target = { base_url: url, state_handler: (state: string) => void states.push(state) };
    expect(await svc.verify_interaction(asked, target, { consumer: 'web' })).toMatchObject({
      ok: false,
      mismatches: [expect.stringContaining('404')],
    });
    expect(states).toEqual(['it is there']);
    const climbing = { ...asked, request: { method: 'GET', path: '/../x' } };
    expect(await svc.verify_interaction(climbing, target)).toMatchObject({ ok: false });
    expect(await wrong(svc.verify_interaction(asked, { base_url: 'nonsense' }))).toMatch(/^RangeError: base_url/);
    expect(await wrong(svc.verify_interaction(asked, { base_url: url, timeout: 0 }))).toMatch(/^RangeError: timeout/);
  });

  it('say which limits of a stream are none', () => {
    expect(() => svc.iter_sse_events(`${url}/events`, { max_events: 0 })).toThrow(RangeError);
    expect(() => svc.iter_sse_events(`${url}/events`, { timeout: 0 })).toThrow(RangeError);
  });

  it('read events one by one', async () => {
    const seen: unknown[] = [];
    for await (const event of svc.iter_sse_events(`${url}/events`, { max_events: 2 })) seen.push(event);
    expect(seen).toEqual([{ data: 'one' }, expect.objectContaining({ data: 'two', id: '7' })]);
  });

  it('are replayed from a tape', async () => {
    const tape = join(folder, 'tape.json');
    const request = { method: 'get', url: `${url}/taped`, body: '' };
    const send = (): Promise<Response> => fetch(request.url);
    const read = async (answer: Response): Promise<svc.TapedAnswer> => ({
      response_status: answer.status,
      response_body: await answer.text(),
      response_headers: { 'set-cookie': 'secret', a: 'b' },
    });
    served = 0;
    const first = await svc.replay_or_record(tape, request, send, read);
    const again = await svc.replay_or_record(tape, request, send, read);
    expect([served, first.response_body, again.response_body]).toEqual([1, '{"up":true}', '{"up":true}']);
    expect(readFileSync(tape, 'utf8')).not.toContain('secret');
    const other = { ...request, body: 'other' };
    expect(await wrong(svc.replay_or_record(tape, other, send, () => ({}) as svc.TapedAnswer))).toMatch(
      /^APITesterException: The answer .* has no text "response_body"/,
    );
    expect(await svc.cassette_items(tape)).toHaveLength(1);
  });

  it('are tried again by a policy', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    let tries = 0;
    const work = (step: number): number => {
      tries += step;
      if (tries < 3) throw new TypeError('not yet');
      return tries;
    };
    const policy = { initial_delay_seconds: 0.001, jitter: false };
    expect(await svc.retry_call(work, { args: [1], policy })).toBe(3);
    expect(warned.mock.calls.map(([text]) => text)).toEqual([
      'attempt 1 of 3 failed (TypeError: not yet); the next one in 0.001 s',
      'attempt 2 of 3 failed (TypeError: not yet); the next one in 0.002 s',
    ]);
    warned.mockRestore();
    tries = 0;
    expect(await wrong(svc.retry_call(work, { args: [1], policy: { ...policy, retry_on: ['RangeError'] } }))).toBe(
      'TypeError: not yet',
    );
    expect(tries).toBe(1);
    expect([1, 2, 9].map((attempt) => svc.compute_delay(attempt, { policy: { jitter: false } }))).toEqual([0.5, 1, 30]);
    expect(svc.compute_delay(1)).toBeGreaterThanOrEqual(0.25);
    expect(() => svc.compute_delay(0)).toThrow(RangeError);
    await expect(svc.retry_call(work, { policy: { max_attempts: 0 } })).rejects.toThrow(RangeError);
    await expect(svc.retry_call(work, { policy: { max_attempt: 9 } as object })).rejects.toThrow(/"max_attempt"/);
    await expect(svc.retry_call(work, { policy: { retry_on: 'Error' as never } })).rejects.toThrow(RangeError);
    const told = (one: number, { more }: { more: number }): number => one + more;
    expect(await svc.retry_call(told, { args: [1], kwargs: { more: 2 } })).toBe(3);
    expect(await svc.retry_call(() => 1, { args: null, policy: { max_attempts: undefined as never } })).toBe(1);
  });

  it('are tried again by the name that stands above those of all failures of requests', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const policy = { max_attempts: 2, initial_delay_seconds: 0, retry_on: ['APITesterException'] };
    for (const wanted of [`${url}/down`, `${url}/garbage`]) {
      const tried = svc.retry_call(() => svc.test_api_method_httpx_async('get', wanted), { policy });
      await expect(tried).rejects.toThrow();
    }
    const held = svc.retry_call(() => svc.check_result({ a: 1 }, { a: 2 }), { policy });
    await expect(held).rejects.toMatchObject({ name: 'APIAssertException' });
    expect(warned).toHaveBeenCalledTimes(3);
    const other = svc.retry_call(() => Promise.reject(new TypeError('ours')), { policy });
    await expect(other).rejects.toThrow('ours');
    expect(warned).toHaveBeenCalledTimes(3);
    warned.mockRestore();
  });

  it('are tried again by statuses, and when their answers ask for it', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const policy = { initial_delay_seconds: 0, jitter: false, retry_on: [429] };
    const answering = (status_code: number, after: string): Error =>
      Object.assign(new Error(`status ${status_code}`), { status_code, headers: { 'Retry-After': after } });
    const errors = [answering(429, '0'), answering(429, '1')];
    const work = (): string => {
      const error = errors.shift();
      if (error) throw error;
      return 'done';
    };
    expect(await svc.retry_call(work, { policy })).toBe('done');
    expect(warned.mock.calls.map(([text]) => String(text).replace(/.*; /, ''))).toEqual([
      'the next one in 0.000 s',
      'the next one in 1.000 s',
    ]);
    warned.mockRestore();
    errors.push(answering(503, '0'));
    expect(await wrong(svc.retry_call(work, { policy }))).toBe('Error: status 503');
    errors.push(answering(429, '7200'));
    expect(await wrong(svc.retry_call(work, { policy }))).toBe('Error: status 429');
  });
});
